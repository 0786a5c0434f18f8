/// What a connection has yet to send.
struct OutBuffer {
  private var bytes: [UInt8] = []
  // How many of the bytes have gone out.
  private var sent = 0

  var count: Int { bytes.count - sent }
  var isEmpty: Bool { sent == bytes.count }

  mutating func append(_ more: Span<UInt8>, from pool: inout BufferPool) {
    if bytes.capacity == 0 { bytes = pool.take() }
    more.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// Offers all that is left to `send`, which says how much was taken.
  mutating func drain(
    into pool: inout BufferPool, _ send: (UnsafeRawBufferPointer) throws(SystemError) -> Int
  ) throws(SystemError) {
    sent += try bytes.withUnsafeBufferPointer { all throws(SystemError) in
      try send(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[sent...])))
    }
    if isEmpty {
      empty(into: &pool)
    } else if sent >= 65_536, sent >= bytes.count / 2 {
      // Moves no more bytes than have gone out since the last time.
      bytes.removeFirst(sent)
      sent = 0
    }
  }

  mutating func empty(into pool: inout BufferPool) {
    guard bytes.capacity > 0 else { return }
    var storage: [UInt8] = []
    swap(&storage, &bytes)
    sent = 0
    pool.giveBack(storage)
  }
}
