/// The unsent output of a connection: in a block of its loop's pool, or in memory of its own if
/// that is too small. An empty buffer has no memory.
struct OutBuffer: ~Copyable {
  private var room: UnsafeMutableRawPointer?
  private var capacity = 0
  // The unsent bytes are those from `sent` up to `end`.
  private var sent = 0
  private var end = 0

  deinit { room?.deallocate() }

  var count: Int { end &- sent }
  var isEmpty: Bool { sent == end }

  /// The unsent bytes. Valid until the next change.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: room.map { $0 + sent }, count: count)
  }

  // Inlined, because a call would cost more than its work.
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
      release(room, into: &pool)
    }
    room = new
    capacity = larger
  }

  /// Removes the first `number` bytes.
  @inline(__always)
  mutating func remove(first number: Int, into pool: inout BufferPool) {
    sent &+= number
    if isEmpty { empty(into: &pool) } else { moveUp() }
  }

  /// Removes all but the first `number` bytes.
  mutating func keep(first number: Int, into pool: inout BufferPool) {
    end = sent &+ number
    if isEmpty { empty(into: &pool) }
  }

  /// Moves the unsent bytes to the start of the memory, but only if they are no more than the bytes
  /// sent since the last move.
  @inline(never)
  private mutating func moveUp() {
    guard sent >= 65_536, sent >= end / 2, let room else { return }
    room.copyMemory(from: room + sent, byteCount: count)
    end -= sent
    sent = 0
  }

  @inline(__always)
  mutating func empty(into pool: inout BufferPool) {
    if let room { release(room, into: &pool) }
    room = nil
    capacity = 0
    sent = 0
    end = 0
  }

  private func release(_ room: UnsafeMutableRawPointer, into pool: inout BufferPool) {
    if capacity == BufferPool.blockSize { pool.giveBack(room) } else { room.deallocate() }
  }
}

/// Free blocks of memory. A connection takes one only while it has bytes to send, so an idle
/// connection needs no memory for that, and a busy loop allocates nothing.
struct BufferPool: ~Copyable {
  /// The size of a block in bytes. It has room for several lines, and is small enough that the
  /// blocks of a turn stay in the processor's cache.
  static let blockSize = 512
  /// The maximum number of free blocks: half a MiB.
  private static let maxFree = 1024

  /// The first free block. Each one begins with the address of the next.
  private var first: UnsafeMutableRawPointer?
  private var count = 0

  deinit {
    var next = first
    while let block = next {
      next = block.load(as: UnsafeMutableRawPointer?.self)
      block.deallocate()
    }
  }

  /// Returns a block. The caller gives it back or deallocates it.
  mutating func take() -> UnsafeMutableRawPointer {
    guard let block = first else {
      return .allocate(byteCount: Self.blockSize, alignment: MemoryLayout<UInt>.alignment)
    }
    first = block.load(as: UnsafeMutableRawPointer?.self)
    count &-= 1
    return block
  }

  mutating func giveBack(_ block: UnsafeMutableRawPointer) {
    guard count < Self.maxFree else { return block.deallocate() }
    block.storeBytes(of: first, as: UnsafeMutableRawPointer?.self)
    first = block
    count &+= 1
  }
}
