import Testing

@testable import Shared

/// Some systems report a hang-up without a failure. Linux does not, so this poller does.
@Suite struct HangUpTests {
  @Test func `a connection that hangs up while it closes is closed when its time is over`() throws {
    let poller = HangUpPoller()
    var loop: EventLoop? = EventLoop(poller: poller)
    weak var connection: TCPConnection?
    let recorder = ConnectionRecorder()
    let listener = try loop.map {
      try TCPListener(loop: $0, address: .loopback()) {
        $0.delegate = recorder
        connection = $0
      }
    }
    let peer = try Peer(to: #require(listener).address, receiveBuffer: 4096)
    try loop?.turn { connection != nil }
    peer.socket.shutDownWriting()
    try loop?.turn { recorder.ends == [.inputEnded] }
    connection?.send(Array(repeating: 0, count: 4_000_000))
    connection?.close()
    try loop?.turnAFewTimes()
    #expect(connection.map { $0.unsent > 0 } == true)
    poller.hangsUp = true
    try loop?.turnAFewTimes()
    #expect(connection != nil)
    loop = nil
    #expect(connection == nil)
    peer.socket.close()
  }
}

/// Adds a hang-up of the last watched descriptor to the events of poll(2).
private final class HangUpPoller: Poller {
  let maxEvents = Int.max
  var hangsUp = false
  private let poller = PollPoller()
  private var last: (descriptor: Int32, token: UInt64)?
  private var count = 0

  func add(_ descriptor: Int32, for interest: Interest, token: UInt64) throws(SystemError) {
    last = (descriptor, token)
    try poller.add(descriptor, for: interest, token: token)
  }

  func modify(_ descriptor: Int32, to interest: Interest, token: UInt64) throws(SystemError) {
    try poller.modify(descriptor, to: interest, token: token)
  }

  func remove(_ descriptor: Int32) {
    if last?.descriptor == descriptor { last = nil }
    poller.remove(descriptor)
  }

  func wait(milliseconds: Int32) throws(SystemError) -> Int {
    count = try poller.wait(milliseconds: milliseconds)
    return hangsUp && last != nil ? count + 1 : count
  }

  func event(at index: Int) -> PollerEvent {
    guard index == count, let last else { return poller.event(at: index) }
    return PollerEvent(token: last.token, readiness: .hangUp)
  }
}
