/// Empty buffers that keep their storage, so that a connection owns one only while it has bytes to
/// send: an idle one costs nothing, and a busy loop allocates nothing.
struct BufferPool {
  private var free: [[UInt8]] = []

  mutating func take() -> [UInt8] { free.popLast() ?? [] }

  /// Keeps at most 1,024 buffers of at most 4 KiB, 4 MiB in all; others are freed.
  mutating func giveBack(_ buffer: consuming [UInt8]) {
    guard free.count < 1024, buffer.capacity <= 4096 else { return }
    buffer.removeAll(keepingCapacity: true)
    free.append(buffer)
  }
}
