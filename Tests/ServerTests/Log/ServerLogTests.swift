import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

/// The log of the whole server.
@Suite struct ServerLogTests {
  private let book = LogRecorder()

  @Test func `connections, sessions and matches are logged`() throws {
    let server = TestServer(log: book.log(.info))
    let (ann, bob) = try server.players("ann", "bob b")
    server.playFirstRow(ann.client, bob.client)
    ann.cut()
    #expect(
      book.take() == [
        "info connected connection=1 from=[::1]:50000",
        "info loggedIn connection=1 session=ann",
        "info connected connection=2 from=[::1]:50000",
        #"info loggedIn connection=2 session="bob b""#,
        #"info matchBegan match=\#(server.onlyMatch) game=tictactoe X=ann O="bob b""#,
        "info gameEnded match=\(server.onlyMatch) reason=line winner=ann",
        #"info disconnected connection=1 session=ann reason="lost (Connection reset by peer)""#,
      ])
    let match = server.onlyMatch
    try ann.resume()
    bob.client.say("quit")
    ann.client.end()
    #expect(
      book.take() == [
        "info connected connection=3 from=[::1]:50000",
        "info resumed connection=3 session=ann",
        #"info matchEnded match=\#(match) reason=left by="bob b""#,
        #"info sessionEnded session="bob b""#,
        "info disconnected connection=2 reason=quit",
        #"info disconnected connection=3 session=ann reason="end of input""#,
        "info sessionEnded session=ann",
      ])
  }

  @Test func `results are logged, also those without a winner`() throws {
    let server = TestServer(log: book.log(.info))
    let (x, o) = server.match()
    x.say("resign")
    for client in [x, o] { client.say("start") }
    for (index, cell) in ["0 0", "1 1", "0 1", "0 2", "2 0", "1 0", "1 2", "2 2", "2 1"]
      .enumerated()
    {
      (index.isMultiple(of: 2) ? o : x).say("place \(cell)")
    }
    let match = server.onlyMatch
    #expect(
      book.take().filter { $0.contains("gameEnded") } == [
        "info gameEnded match=\(match) reason=resigned winner=bob",
        "info gameEnded match=\(match) reason=full",
      ])
  }

  @Test func `games and moves are logged at the level debug`() throws {
    let server = TestServer(log: book.log(.debug))
    let (x, o) = server.match()
    let match = server.onlyMatch
    server.playFirstRow(x, o)
    #expect(
      book.take().filter { $0.hasPrefix("debug") } == [
        "debug gameBegan match=\(match)",
        "debug moved match=\(match) mark=X row=0 col=0",
        "debug moved match=\(match) mark=O row=1 col=0",
        "debug moved match=\(match) mark=X row=0 col=1",
        "debug moved match=\(match) mark=O row=1 col=1",
        "debug moved match=\(match) mark=X row=0 col=2",
      ])
  }

  @Test func `the reason why a client was disconnected is logged`() {
    let server = TestServer(
      limits: ConnectionLimits(
        loginWithin: .seconds(1), address: AddressLimits(connections: 1)), log: book.log(.info))
    let client = server.client()
    _ = server.client()
    server.clock.advance(by: .seconds(1))
    server.network.run()
    let other = server.client()
    other.say("GET / HTTP/1.1")
    #expect(
      book.take().filter { !$0.contains(" connected ") } == [
        "info rejected from=[::1]:50000 reason=full",
        "info disconnected connection=1 reason=loginTimeout",
        "info disconnected connection=2 reason=badProtocol",
      ])
    #expect(client.isClosedByServer)
  }

  @Test func `a proxy without a valid header is logged`() throws {
    let server = TestServer(
      limits: ConnectionLimits(proxies: [try #require(IPNetwork("::1"))]), log: book.log(.info))
    let client = server.client()
    client.say("hello")
    _ = server.client()
    server.clock.advance(by: ProxyHandshake.timeout)
    #expect(
      book.take() == [
        #"info rejected from=[::1]:50000 reason="bad PROXY header""#,
        #"info rejected from=[::1]:50000 reason="no PROXY header""#,
      ])
  }

  @Test func `a shutdown is logged from its beginning to its end`() {
    let server = TestServer(log: book.log(.info))
    _ = server.match()
    let match = server.onlyMatch
    _ = book.take()
    server.control.drain(within: nil) { server.control.shutDown() }
    server.clock.advance(by: .seconds(30))
    #expect(
      book.take() == [
        "info draining games=1 atMostMs=30000", "info drained games=1", "info stopping games=1",
        "info matchEnded match=\(match) reason=shutdown",
        "info disconnected connection=1 session=ann reason=shutdown",
        "info disconnected connection=2 session=bob reason=shutdown",
        "info sessionEnded session=ann", "info sessionEnded session=bob",
      ])
    let counters = server.serverLog.counters
    for tally in [counters.connections, counters.sessions, counters.matches, counters.games] {
      #expect(tally.now == 0)
      #expect(tally.total > 0)
    }
  }

  @Test func `the tree and the counters are logged on request, at any level`() throws {
    let server = TestServer(log: book.log(.warning))
    let (ann, bob) = try server.players()
    ann.client.say("place 1 1")
    ann.client.say("place 1 1")
    bob.client.say("what")
    bob.cut()
    let watcher = server.client(as: "zoe")
    watcher.say("watch \(server.onlyMatch)")
    server.client(as: "tom").say("start bot")
    let matches = server.root.children.compactMap { ($0.interactable as? any Match)?.id }
    server.serverLog.report(on: server.root)
    #expect(
      book.take().dropLast() == [
        "info tree: Root",
        "info tree:   LoggedIn: \(matches[0]) tictactoe, X ann (connection 1), O bob (lost),"
          + " 1 watching",
        "info tree:     TicTacToe: .../.X./..., O to move",
        "info tree:   LoggedIn: \(matches[1]) tictactoe, X tom (connection 4), O bot, 0 watching",
        "info tree:     TicTacToe: .../.../..., X to move",
      ])
    let counters = server.serverLog.counters
    #expect(counters.connections.now == 3 && counters.connections.total == 4)
    #expect(counters.sessions.now == 4 && counters.matches.now == 2 && counters.games.now == 2)
    #expect(counters.moves == 1)
    #expect(counters.linesIn == 11)
    #expect(counters.refused == [.unknownType: 1, .notYourTurn: 1])
    ann.client.say("ping")
    #expect(server.serverLog.counters.bytesIn == counters.bytesIn + 5)
    #expect(server.serverLog.counters.bytesOut == counters.bytesOut + #"{"type":"pong"}"#.count + 1)
  }

  @Test func `the line of the counters names each of them`() {
    let server = TestServer(log: book.log(.warning))
    server.client().say("start\nwhat\nwhat")
    server.serverLog.report(on: server.root)
    let bytes = server.serverLog.counters.bytesOut
    #expect(
      book.take() == [
        "info tree: Root",
        "info counters connections=1 connectionsTotal=1 sessions=0 sessionsTotal=0 matches=0"
          + " matchesTotal=0 games=0 gamesTotal=0 moves=0 linesIn=3 bytesIn=16 bytesOut=\(bytes)"
          + #" refused="unknownType:2,notLoggedIn:1""#,
      ])
  }

  @Test(arguments: [("9.9.9.9", "9.9.9.9"), ("2001:db8:1:1::1", "2001:db8:1::")])
  func `frequent connections of one address are logged as a sum`(
    address: String, network: String
  ) throws {
    let server = TestServer(log: book.log(.info))
    for number in 0..<AddressLog.burst + 7 {
      let client = server.client(from: address)
      client.say("login")
      if number.isMultiple(of: 2) { client.say("start bot") }
      client.say("quit")
    }
    let lines = book.take()
    for event in ["connected", "loggedIn", "sessionEnded", "disconnected"] {
      #expect(lines.filter { $0.hasPrefix("info \(event) ") }.count == AddressLog.burst)
    }
    #expect(lines.filter { $0.hasPrefix("info matchBegan ") }.count == AddressLog.burst / 2)
    server.clock.advance(by: AddressRegistry.interval)
    #expect(book.take() == ["info connections from=\(network) opened=7 loggedIn=7 rejected=0"])
    // There is room for some lines again.
    #expect(!server.client(from: address).isClosedByServer)
    #expect(book.take().count == 1)
  }
}
