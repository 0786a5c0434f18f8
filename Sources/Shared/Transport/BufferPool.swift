/// Buffers at hand, so that a connection owns one only while it has bytes to send: an idle one costs
/// nothing, and a busy loop allocates nothing.
struct BufferPool {
  /// Bytes of a new buffer: room for some lines, and small enough that those of all who are written
  /// to in one turn stay in the processor's cache.
  private static let size = 1024

  private var free: [[UInt8]] = []

  /// A buffer that is all room; what stands in it means nothing.
  mutating func take() -> [UInt8] { free.popLast() ?? Array(repeating: 0, count: Self.size) }

  /// Keeps at most 1,024 buffers of 1 to 4 KiB, 4 MiB in all; others are freed.
  mutating func giveBack(_ buffer: consuming [UInt8]) {
    guard free.count < 1024, buffer.count >= Self.size, buffer.capacity <= 4096 else { return }
    free.append(buffer)
  }
}
