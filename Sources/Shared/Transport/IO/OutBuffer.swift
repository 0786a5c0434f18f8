/// What a connection has yet to send: in a block of its loop's pool, or, where that is too small, in
/// memory of its own. Owns neither while there is nothing.
struct OutBuffer: ~Copyable {
  private var room: UnsafeMutableRawPointer?
  private var capacity = 0
  // What is to be sent stands from `sent` up to `end`.
  private var sent = 0
  private var end = 0

  deinit { room?.deallocate() }

  var count: Int { end &- sent }
  var isEmpty: Bool { sent == end }

  /// All of it, until the next change.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: room.map { $0 + sent }, count: count)
  }

  // Inlined, as what it does is less than a call.
  @inline(__always)
  mutating func append(_ more: Span<UInt8>, from pool: inout BufferPool) {
    if room == nil, more.count <= BufferPool.blockSize {
      room = pool.take()
      capacity = BufferPool.blockSize
    } else if more.count > capacity &- end {
      grow(for: more.count, givingBackTo: &pool)
    }
    guard let room else { return }
    more.withUnsafeBytes { more in
      guard let start = more.baseAddress else { return }
      (room + end).copyMemory(from: start, byteCount: more.count)
    }
    end &+= more.count
  }

  @inline(never)
  private mutating func grow(for more: Int, givingBackTo pool: inout BufferPool) {
    let larger = max(2 * capacity, end + more)
    let new = UnsafeMutableRawPointer.allocate(
      byteCount: larger, alignment: MemoryLayout<UInt>.alignment)
    if let room {
      new.copyMemory(from: room, byteCount: end)
      letGo(of: room, into: &pool)
    }
    room = new
    capacity = larger
  }

  /// Forgets the first so many bytes.
  @inline(__always)
  mutating func remove(first number: Int, into pool: inout BufferPool) {
    sent &+= number
    if isEmpty { empty(into: &pool) } else { moveUp() }
  }

  /// Moves no more bytes than have gone out since the last time.
  @inline(never)
  private mutating func moveUp() {
    guard sent >= 65_536, sent >= end / 2, let room else { return }
    room.copyMemory(from: room + sent, byteCount: count)
    end -= sent
    sent = 0
  }

  @inline(__always)
  mutating func empty(into pool: inout BufferPool) {
    if let room { letGo(of: room, into: &pool) }
    room = nil
    capacity = 0
    sent = 0
    end = 0
  }

  private func letGo(of room: UnsafeMutableRawPointer, into pool: inout BufferPool) {
    if capacity == BufferPool.blockSize { pool.giveBack(room) } else { room.deallocate() }
  }
}
