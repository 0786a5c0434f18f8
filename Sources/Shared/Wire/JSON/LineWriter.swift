/// Writes a line into memory, which is on the stack unless the line is unusually long.
///
/// Short pieces are inlined: a text of known length takes a few instructions. Longer pieces are
/// written by functions that take an address and return the address after the last byte. Nothing
/// else refers to the writer, so it stays in registers.
package struct LineWriter: ~Copyable {
  /// Enough bytes for most lines, although a string reserves room as if all of it were escaped.
  private static let usualCapacity = 1_024

  private var start: UnsafeMutableRawPointer
  /// The addresses after the last byte written, and after the memory.
  private var end: UnsafeMutableRawPointer
  private var limit: UnsafeMutableRawPointer
  private var isOnHeap = false

  /// Calls `body` with the line that `write` writes.
  @inline(__always)
  package static func withLine(_ write: (inout LineWriter) -> Void, _ body: (Span<UInt8>) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: usualCapacity, alignment: 1) { room in
      guard let start = room.baseAddress else { return }
      var line = LineWriter(start, capacity: room.count)
      write(&line)
      let bytes = UnsafeRawBufferPointer(start: line.start, count: line.count)
      body(Span(_unsafeBytes: bytes))
      // The writer owns the memory, so it must live until here.
      _ = consume line
    }
  }

  @inline(__always)
  private init(_ start: UnsafeMutableRawPointer, capacity: Int) {
    self.start = start
    end = start
    limit = start + capacity
  }

  deinit {
    if isOnHeap { start.deallocate() }
  }

  /// The number of bytes written.
  var count: Int { end - start }

  /// Removes everything after the first `count` bytes.
  mutating func removeAll(after count: Int) {
    precondition(count <= self.count)
    end = start + count
  }

  /// Makes room for this many more bytes and returns their address.
  @inline(__always)
  private mutating func room(for more: Int) -> UnsafeMutableRawPointer {
    if more > limit - end { self = grown(by: more) }
    return end
  }

  /// Moves the line to memory of twice the size, or of the size that `more` bytes need.
  @inline(never)
  private consuming func grown(by more: Int) -> LineWriter {
    let capacity = max(2 * (limit - start), count + more)
    var line = LineWriter(.allocate(byteCount: capacity, alignment: 1), capacity: capacity)
    line.isOnHeap = true
    line.end.copyMemory(from: start, byteCount: count)
    line.end += count
    return line
  }

  @inline(__always)
  package mutating func put(_ text: StaticString) {
    room(for: text.utf8CodeUnitCount)
      .copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    end += text.utf8CodeUnitCount
  }

  /// Puts `,"name":`. The value follows.
  @inline(__always)
  mutating func put(field name: StaticString) {
    let start = room(for: name.utf8CodeUnitCount &+ 4)
    start.copyMemory(from: ",\"", byteCount: 2)
    (start + 2).copyMemory(from: name.utf8Start, byteCount: name.utf8CodeUnitCount)
    (start + 2 + name.utf8CodeUnitCount).copyMemory(from: "\":", byteCount: 2)
    end += name.utf8CodeUnitCount &+ 4
  }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    room(for: 1).storeBytes(of: byte, as: UInt8.self)
    end += 1
  }

  /// Puts bytes as they are.
  @inline(__always)
  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    room(for: bytes.count).copyMemory(from: source, byteCount: bytes.count)
    end += bytes.count
  }

  @inline(__always)
  mutating func put(_ number: Int) {
    // Rows and columns nearly always have one digit.
    if UInt(bitPattern: number) < 10 {
      put(UInt8(ascii: "0") | UInt8(truncatingIfNeeded: number))
    } else {
      end = DecimalDigits.write(number, at: room(for: DecimalDigits.maxCount))
    }
  }

  /// Puts 8 lower-case hexadecimal digits.
  @inline(__always)
  mutating func put(hex number: UInt32) {
    room(for: 8).storeBytes(of: HexDigits.of(number), as: UInt64.self)
    end += 8
  }

  /// Puts a JSON string. Escapes only what JSON requires, and control characters (Cc), which could
  /// be an escape sequence for a terminal.
  @inline(__always)
  package mutating func put(quoted string: String) {
    end = JSONStringWriter.write(quoted: string, at: room(for: JSONStringWriter.maxCount(string)))
  }

  @inline(__always)
  mutating func put(name: QuotedName) {
    guard name.shortCount > 0 else { return put(quoted: name.text) }
    room(for: 8).storeBytes(of: name.shortBytes.littleEndian, as: UInt64.self)
    end += name.shortCount
  }

  @inline(__always)
  mutating func put(time: EncodedTime) {
    guard time.shortCount > 0 else { return put(Int(clamping: time.bits)) }
    room(for: 8).storeBytes(of: time.bits.littleEndian, as: UInt64.self)
    end += Int(time.shortCount)
  }

  /// Puts a JSON string in which nothing must be escaped, such as a name of this program.
  @inline(__always)
  mutating func put(plain string: String) {
    end = JSONStringWriter.write(plain: string, at: room(for: string.utf8.count + 2))
  }
}

extension [UInt8] {
  package mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
