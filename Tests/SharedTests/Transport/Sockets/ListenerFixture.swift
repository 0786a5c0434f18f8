import TestSupport

@testable import Shared

/// A loop, a listener on the loopback, and its accepted connections.
final class ListenerFixture {
  let loop: EventLoop
  let poller: CountingPoller
  private let clock = ManualClock()
  let listener: TCPListener
  private(set) var accepted: [TCPConnection] = []

  /// With `isStopped` the loop's time passes only by `pass`.
  init(_ kind: PollerKind, on host: String = "127.0.0.1", isStopped: Bool = false) throws {
    poller = CountingPoller(try kind.makePoller())
    let loop = EventLoop(poller: poller, systemTime: isStopped ? { [clock] in clock.time } : nil)
    let box = Box()
    self.loop = loop
    listener = try TCPListener(loop: loop, address: .loopback(host)) {
      box.fixture?.accepted.append($0)
    }
    box.fixture = self
  }

  /// Returns a new connection, its peer, and a recorder as its delegate.
  func connect(receiveBuffer: Int32? = nil) throws -> (TCPConnection, Peer, ConnectionRecorder) {
    let peer = try Peer(to: listener.address, receiveBuffer: receiveBuffer)
    let before = accepted.count
    try loop.turn(until: { accepted.count > before })
    let recorder = ConnectionRecorder()
    accepted[before].delegate = recorder
    return (accepted[before], peer, recorder)
  }

  func pass(_ time: Duration) { clock.time += time.wholeNanoseconds }

  /// Returns whether nothing wakes the loop again and again.
  func isQuiet() throws -> Bool { try poller.becomesQuiet(loop) }

  private final class ManualClock {
    var time: Int64 = 1_000_000_000
  }

  private final class Box {
    weak var fixture: ListenerFixture?
  }
}
