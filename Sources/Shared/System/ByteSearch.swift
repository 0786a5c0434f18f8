import Foundation

extension UnsafeRawBufferPointer {
  /// The index of the first such byte, from `start` on; `nil` if there is none.
  @inline(__always)
  package func index(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, CInt(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
