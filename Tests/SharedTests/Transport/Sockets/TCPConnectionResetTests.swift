#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import Testing

@testable import Shared

@Suite struct TCPConnectionResetTests {
  @Test(arguments: PollerKind.allCases)
  func `the peer sees a reset at once, and queued bytes are discarded`(
    kind: PollerKind
  ) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect()
    connection.send("never")
    connection.reset()
    connection.reset()
    #expect(fixture.loop.connectionCount == 0)
    #expect(throws: SystemError.self) { try peer.receive() }
    try fixture.loop.turn(wait: .zero)
    #expect(recorder.ends.isEmpty)
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `a connection that waits for its peer's end can still be reset`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, _) = try fixture.connect(receiveBuffer: 4096)
    connection.send([UInt8](repeating: 0x61, count: 4_000_000))
    connection.close()
    try fixture.loop.turnAFewTimes()
    #expect(fixture.loop.connectionCount == 1)
    connection.reset()
    #expect(fixture.loop.connectionCount == 0)
    #expect(connection.unsent == 0)
    #expect(throws: SystemError.self) { while try peer.receive()?.isEmpty == false {} }
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `onClose is called once the descriptor is closed, not when the owner closes`(
    kind: PollerKind
  ) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, _) = try fixture.connect()
    var closings = 0
    connection.onClose = { closings += 1 }
    connection.close()
    try fixture.loop.turnAFewTimes()
    #expect(closings == 0)
    #expect(fixture.loop.connectionCount == 1)
    peer.socket.close()
    try fixture.loop.turn { closings == 1 }
    #expect(fixture.loop.connectionCount == 0)
    connection.reset()
    try fixture.loop.turnAFewTimes()
    #expect(closings == 1)
  }

  @Test(arguments: PollerKind.allCases)
  func `onClose is called within reset`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect()
    var closings = 0
    connection.onClose = { closings += 1 }
    recorder.onReceive = { connection, _ in
      connection.send("never")
      connection.reset()
      #expect(closings == 1)
    }
    try peer.send("go")
    try fixture.loop.turn { closings == 1 }
    try fixture.loop.turnAFewTimes()
    #expect(closings == 1)
    #expect(recorder.ends.isEmpty)
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `onClose follows the delegate's call for a failure`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect()
    var endsAtClose: [Int] = []
    connection.onClose = { endsAtClose.append(recorder.ends.count) }
    // The connection is closed already.
    recorder.onEnd = { $0.reset() }
    try peer.reset()
    try fixture.loop.turn { !endsAtClose.isEmpty }
    try fixture.loop.turnAFewTimes()
    #expect(endsAtClose == [1])
  }

  @Test(arguments: PollerKind.allCases)
  func `a freed loop releases onClose without calling it`(kind: PollerKind) throws {
    var fixture: ListenerFixture? = try ListenerFixture(kind)
    let (connection, peer, _) = try #require(try fixture?.connect())
    connection.onClose = { Issue.record("called") }
    fixture = nil
    #expect(connection.onClose == nil)
    connection.reset()
    peer.socket.close()
  }
}
