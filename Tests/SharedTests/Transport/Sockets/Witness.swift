import TestSupport

@testable import Shared

/// A connection's delegate that keeps what it is told, and can act on it.
final class Witness: ConnectionDelegate {
  var received: [String] = []
  var ends: [ConnectionEnd] = []
  var drains = 0
  var onReceive: ((any Connection, String) -> Void)?
  var onEnd: ((any Connection) -> Void)?

  var text: String { received.joined() }

  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    received.append(text)
    onReceive?(connection, text)
  }

  func connectionDidDrain(_ connection: any Connection) { drains += 1 }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    ends.append(end)
    onEnd?(connection)
  }
}

extension Connection {
  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { send(bytes.span) }
}

/// A loop, a listener on the loopback, and what it accepted.
final class Host {
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
      box.host?.accepted.append($0)
    }
    box.host = self
  }

  /// A new connection, its other end, and a witness that is its delegate.
  func connect(receiveBuffer: Int32? = nil) throws -> (TCPConnection, Peer, Witness) {
    let peer = try Peer(to: listener.address, receiveBuffer: receiveBuffer)
    let before = accepted.count
    try loop.turn(until: { accepted.count > before })
    let witness = Witness()
    accepted[before].delegate = witness
    return (accepted[before], peer, witness)
  }

  func pass(_ time: Duration) { clock.time += time.wholeNanoseconds }

  /// Whether nothing wakes the loop again and again.
  func isQuiet() throws -> Bool { try poller.becomesQuiet(loop) }

  private final class ManualClock {
    var time: Int64 = 1_000_000_000
  }

  private final class Box {
    weak var host: Host?
  }
}
