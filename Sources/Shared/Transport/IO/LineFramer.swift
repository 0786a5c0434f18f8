/// Splits a stream of bytes into lines that end with LF. Each connection has its own. The owner
/// pulls line after line out of a chunk, so the framer is not in use while a line is handled, and a
/// line that is complete in its chunk is not copied.
package struct LineFramer {
  /// The next part of the stream.
  package enum Next: Equatable {
    /// A line in the chunk. The range excludes its LF.
    case line(Range<Int>)
    /// A line that began in an earlier chunk, without its LF.
    case joined([UInt8])
    /// The chunk is used up. The framer keeps the incomplete line at its end.
    case needsMore
    /// The line is longer than the limit. All further calls return this too.
    case tooLong
  }

  private let limit: Int
  // Both are empty, and hold no storage, at the start of a line, unless the owner has paused.
  private var tail: [UInt8] = []
  private var rest: [UInt8] = []
  private var isTooLong = false

  /// - Parameter limit: the maximum length of a line in bytes, without LF. It also applies to an
  ///   incomplete line, so the framer never keeps more bytes than this.
  package init(limit: Int) {
    precondition(limit >= 0, "the limit of a line must not be negative")
    self.limit = limit
  }

  /// Returns the next line, and moves `offset` past it. Call it with the same chunk, starting at
  /// offset 0, until it returns `needsMore`; then with the next chunk.
  package mutating func next(in chunk: Span<UInt8>, from offset: inout Int) -> Next {
    guard !isTooLong else { return .tooLong }
    let start = offset
    guard start < chunk.count else { return .needsMore }
    let end = chunk.withUnsafeBytes { $0.index(of: UInt8(ascii: "\n"), from: start) }
    // Nearly always true.
    if let end, tail.isEmpty, end &- start <= limit {
      offset = end &+ 1
      return .line(start..<end)
    }
    guard tail.count + (end ?? chunk.count) - start <= limit else {
      isTooLong = true
      tail = []
      return .tooLong
    }
    guard let end else {
      offset = chunk.count
      append(chunk, start..<chunk.count)
      return .needsMore
    }
    offset = end + 1
    append(chunk, start..<end)
    let line = tail
    tail = []
    return .joined(line)
  }

  /// Keeps the bytes after `offset`, for an owner that pauses in the middle of a chunk. No other
  /// chunk may follow before `takeRest`, so the owner pauses its connection too.
  package mutating func keepRest(of chunk: Span<UInt8>, from offset: Int) {
    precondition(rest.isEmpty, "the rest of an earlier chunk is still kept")
    guard offset < chunk.count else { return }
    chunk.withUnsafeBufferPointer { rest = Array($0[offset...]) }
  }

  /// Returns the bytes that `keepRest` kept, as the next chunk; empty if there are none.
  package mutating func takeRest() -> [UInt8] {
    let taken = rest
    rest = []
    return taken
  }

  private mutating func append(_ chunk: Span<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    chunk.withUnsafeBufferPointer { tail.append(contentsOf: $0[range]) }
  }
}
