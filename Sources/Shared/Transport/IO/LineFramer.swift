#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Cuts a stream of bytes into lines ended by LF; one for each connection. The owner pulls line
/// after line out of a chunk, so that nothing of the framer is in use while a line is handled, and
/// lines that lie wholly in the chunk are not copied.
package struct LineFramer {
  /// What stands next in the stream.
  package enum Next: Equatable {
    /// A line in the chunk itself; the range leaves its LF out.
    case line(Range<Int>)
    /// A line that earlier chunks began, without its LF.
    case joined([UInt8])
    /// The chunk is used up; the line that it began is kept.
    case needsMore
    /// More bytes than the limit without LF. From now on this is the only answer.
    case tooLong
  }

  private let limit: Int
  // Both are empty, and hold no storage, where the stream stands at the start of a line and its
  // owner is not paused.
  private var tail: [UInt8] = []
  private var rest: [UInt8] = []
  private var isTooLong = false

  /// - Parameter limit: Longest line accepted, in bytes, LF excluded. It also holds before an LF
  ///   has come, so no more than this is ever kept of an incomplete line.
  package init(limit: Int) {
    precondition(limit >= 0, "a line has no negative length")
    self.limit = limit
  }

  /// Moves `offset` behind the next line of `chunk`. Called with the same chunk, from offset 0 on,
  /// until it `needsMore`; then with the chunk that follows.
  package mutating func next(in chunk: Span<UInt8>, from offset: inout Int) -> Next {
    guard !isTooLong else { return .tooLong }
    let start = offset
    guard start < chunk.count else { return .needsMore }
    let end = Self.newline(in: chunk, from: start)
    // Nearly always.
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

  /// Keeps what follows `offset` in `chunk`, where the owner pauses in the middle of it. Until it
  /// has been taken again, no other chunk may follow: pause the connection too.
  package mutating func keepRest(of chunk: Span<UInt8>, from offset: Int) {
    precondition(rest.isEmpty, "the rest of a chunk is kept until it is taken")
    guard offset < chunk.count else { return }
    chunk.withUnsafeBufferPointer { rest = Array($0[offset...]) }
  }

  /// The rest that was kept, to go on with as if it were the next chunk; empty where there is none.
  package mutating func takeRest() -> [UInt8] {
    let taken = rest
    rest = []
    return taken
  }

  private mutating func append(_ chunk: Span<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    chunk.withUnsafeBufferPointer { tail.append(contentsOf: $0[range]) }
  }

  @inline(__always)
  private static func newline(in chunk: Span<UInt8>, from start: Int) -> Int? {
    chunk.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, 0x0A, bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}
