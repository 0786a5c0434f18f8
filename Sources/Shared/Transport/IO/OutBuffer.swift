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

/// Blocks of memory at hand, so that a connection owns one only while it has bytes to send: an idle
/// one costs nothing, and a busy loop allocates nothing.
struct BufferPool: ~Copyable {
  /// Bytes of a block: room for some lines, and small enough that those of all who are written to in
  /// one turn stay in the processor's cache.
  static let blockSize = 512
  /// Most blocks that are kept, half a MiB in all.
  private static let maxFree = 1024

  /// Each free block begins with the address of the next.
  private var first: UnsafeMutableRawPointer?
  private var count = 0

  deinit {
    var next = first
    while let block = next {
      next = block.load(as: UnsafeMutableRawPointer?.self)
      block.deallocate()
    }
  }

  /// A block that is the caller's, to give back or to deallocate.
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
