@testable import Shared

/// Wakes the loop of a node, which then does what the world has for it within a turn: it accepts a
/// connection, or learns that one is made.
final class Doorbell: ReadinessHandler {
  private var tasks: [() -> Void] = []
  private let ends: (near: Socket, far: Socket)

  init(on loop: EventLoop) throws(SystemError) {
    ends = try Socket.pair()
    _ = try loop.watch(ends.near.descriptor, for: .readable, handler: self)
  }

  func ring(_ task: @escaping () -> Void) {
    tasks.append(task)
    _ = [UInt8(0)].withUnsafeBytes { try? ends.far.send($0) }
  }

  func clear() { tasks = [] }

  func descriptorIsReady(_ readiness: Readiness) {
    _ = ends.near.receiveAll()
    let due = tasks
    tasks = []
    for task in due { task() }
  }

  func loopDidEnd() {
    ends.near.close()
    ends.far.close()
  }
}
