/// Blocks of memory at hand, so that a connection owns one only while it has bytes to send: an idle
/// one costs nothing, and a busy loop allocates nothing.
struct BufferPool: ~Copyable {
  /// Bytes of a block: room for some lines, and small enough that those of all who are written to in
  /// one turn stay in the processor's cache.
  static let blockSize = 512
  /// Most blocks that are kept, half a MiB in all.
  private static let most = 1024

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
    guard count < Self.most else { return block.deallocate() }
    block.storeBytes(of: first, as: UnsafeMutableRawPointer?.self)
    first = block
    count &+= 1
  }
}
