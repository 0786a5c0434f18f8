/// What a connection has yet to send.
struct OutBuffer {
  /// All room: what is to be sent stands from `sent` up to `end`. Empty while there is nothing.
  private var room: [UInt8] = []
  // How many of the bytes have gone out.
  private var sent = 0
  private var end = 0

  var count: Int { end - sent }
  var isEmpty: Bool { sent == end }

  mutating func append(_ more: Span<UInt8>, from pool: inout BufferPool) {
    if room.isEmpty { room = pool.take() }
    guard more.count <= room.count - end else { return appendBeyondRoom(more) }
    room.withUnsafeMutableBytes { room in
      more.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: room[end...]).copyMemory(from: $0)
      }
    }
    end += more.count
  }

  private mutating func appendBeyondRoom(_ more: Span<UInt8>) {
    room.removeLast(room.count - end)
    more.withUnsafeBufferPointer { room.append(contentsOf: $0) }
    end = room.count
  }

  /// Offers all that is left to `send`, which says how much was taken.
  mutating func drain(
    into pool: inout BufferPool, _ send: (UnsafeRawBufferPointer) throws(SystemError) -> Int
  ) throws(SystemError) {
    sent += try room.withUnsafeBufferPointer { room throws(SystemError) in
      try send(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: room[sent..<end])))
    }
    if isEmpty {
      empty(into: &pool)
    } else if sent >= 65_536, sent >= end / 2 {
      // Moves no more bytes than have gone out since the last time.
      room.removeFirst(sent)
      end -= sent
      sent = 0
    }
  }

  mutating func empty(into pool: inout BufferPool) {
    guard !room.isEmpty else { return }
    var taken: [UInt8] = []
    swap(&taken, &room)
    sent = 0
    end = 0
    pool.giveBack(taken)
  }
}
