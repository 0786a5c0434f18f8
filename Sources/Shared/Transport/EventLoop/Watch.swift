/// A descriptor as an `EventLoop` watches it. Descriptors are used again as soon as they are
/// closed; the generation tells the old one's events from the new one's.
package struct Watch: Equatable, Sendable {
  package let descriptor: Int32
  let generation: UInt32

  init(descriptor: Int32, generation: UInt32) {
    self.descriptor = descriptor
    self.generation = generation
  }

  init(token: UInt64) {
    descriptor = Int32(truncatingIfNeeded: token)
    generation = UInt32(truncatingIfNeeded: token >> 32)
  }

  var token: UInt64 {
    UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
  }
}
