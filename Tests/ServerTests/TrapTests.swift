import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

/// Known faults of servers of this kind.
@Suite struct TrapTests {
  private let server = TestServer()

  @Test(arguments: [
    ("place 0 0", "cellTaken"), ("place 3 0", "outOfBoard"), ("place -1 0", "outOfBoard"),
    ("place 0 0 1", "stale"), ("place 0 99999999999999", "outOfBoard"), ("place 0", "missingField"),
    ("place x 0", "badField"), ("place", "missingField"), ("start", "inMatch"),
  ])
  func `a move is not refused without a reason`(line: String, code: JSON) throws {
    let (x, o) = server.match()
    x.say("place 0 0")
    _ = o.takeLines()
    let refusal = try #require(try o.ask(line).first)
    #expect(refusal["type"] == "error")
    #expect(refusal["code"] == code)
    #expect(refusal["message"]?.text?.isEmpty == false)
    #expect(try x.hear() == [])
  }

  @Test func `a move on a board that has changed is not carried out`() throws {
    let (x, o) = server.match()
    x.say("place 0 0")
    o.say("place 0 1")
    // It was X's turn then, as it is now.
    #expect(try x.askTypes("place 2 2 1").contains("stale"))
    #expect(try x.ask("sync").last?["board"] == ["XO.", "...", "..."])
  }

  @Test func `an unknown id makes no match`() throws {
    let ann = server.client(as: "ann")
    for line in ["watch nobody", "watch \"\"", #"{"type":"watch","match":"0000"}"#] {
      #expect(["unknownMatch", "missingField"].contains(try ann.askTypes(line)[0]))
    }
    #expect(try ann.askTypes("start nobody") == ["unknownPlayer"])
    #expect(try ann.askTypes("start bot nothing") == ["unknownGame"])
    #expect(try server.client().askTypes("resume AAAAAAAAAAAAAAAAAAAAAA") == ["unknownToken"])
    #expect(server.root.children.isEmpty)
    #expect(try ann.ask("list matches") == [["type": "matches", "items": []]])
  }

  @Test func `a taken cell is never overwritten`() throws {
    let (x, o) = server.match()
    let cells = (0..<9).map { "\($0 / 3) \($0 % 3)" }
    var taken: [String] = []
    // A draw. Before each move the player tries all taken cells.
    for (number, cell) in [0, 2, 1, 3, 5, 4, 6, 7, 8].enumerated() {
      let player = number.isMultiple(of: 2) ? x : o
      let before = try player.ask("sync").last?["board"]
      for cell in taken { #expect(try player.askTypes("place \(cell)") == ["cellTaken"]) }
      #expect(try player.ask("sync").last?["board"] == before)
      #expect(try player.askTypes("place \(cells[cell])").first == "boardDidChange")
      taken.append(cells[cell])
    }
  }

  @Test func `junk without a newline does not keep the server busy`() throws {
    #if os(Linux)
      let poller = CountingPoller(try EpollPoller())
    #else
      let poller = CountingPoller(PollPoller())
    #endif
    let loop = EventLoop(poller: poller)
    let (root, control, _) = RootBuilder(
      dependency: TestDependency(
        games: GameRegistry([Game(.ticTacToe, makeBuilder: TicTacToeBuilder.init)]),
        random: RandomSource(), timers: loop)
    ).build()
    control.launch()
    let ip = try #require(IPAddress([127, 0, 0, 1]))
    let listener = try TCPListener(loop: loop, address: SocketAddress(ip, port: 0)) {
      control.accept($0)
    }
    let clients = (0..<20).map { _ in WireClient(loop: loop, port: listener.address.port) }
    var hellos = 0
    var goodbyes = 0
    for (number, client) in clients.enumerated() {
      client.onEvent = { [unowned client] event in
        switch event {
        case .hello:
          hellos += 1
          client.send(Array(repeating: 0x78, count: number < 10 ? 4_096 : 10_000))
        case .bye(.lineTooLong, _, _, _): goodbyes += 1
        default: break
        }
      }
    }
    while hellos < 20 || goodbyes < 10 { try loop.turn(wait: .milliseconds(30)) }
    #expect(try poller.becomesQuiet(loop))
    listener.close()
    #expect(root.children.isEmpty)
  }

  @Test func `a full buffer loses no message unless the connection is reset`() throws {
    let (x, _) = server.match()
    let watcher = server.client(as: "zoe")
    watcher.say("watch \(server.onlyMatch)")
    // More than the limit for a spectator who does not read.
    for number in 0..<2_000 {
      if number == 1_000 { watcher.stopReading() }
      x.sendOnly("say \(number) \(String(repeating: "x", count: 180))")
      if number.isMultiple(of: 100) {
        server.network.run()
        _ = x.takeLines()
      }
    }
    server.network.run()
    let lines = try watcher.hear()
    let told = lines.filter { $0["type"] == "didSay" }.compactMap { $0["seq"] }
    #expect(told.count > 800)
    #expect(told == (2..<told.count + 2).map { .number($0) })
    #expect(watcher.isReset)
  }

  @Test func `a client that does not read or reply delays nobody else`() throws {
    let stuck = (0..<50).map { server.client(as: "stuck \($0)") }
    for (number, client) in stuck.enumerated() {
      client.say("start bot")
      client.stopReading()
      if number.isMultiple(of: 2) { client.sendOnly("place 1 1") }
    }
    let (x, o) = server.match()
    server.playFirstRow(x, o)
    #expect(try x.hearTypes().last == "gameDidEnd")
    #expect(try o.hearTypes().last == "gameDidEnd")
    let cid = server.client(as: "cid")
    #expect(try cid.askTypes("start bot") == ["gameDidStart"])
    #expect(try cid.askTypes("place 0 0") == ["boardDidChange", "boardDidChange"])
  }

  @Test func `a half-open connection does not block a player's session`() throws {
    let (x, o) = try server.players()
    // The server does not notice the loss, as when a cable was unplugged.
    o.client.stopReading()
    let lines = try o.resume(after: 1)
    #expect(kinds(lines) == ["didLogin", "matchSnapshot"])
    try x.ask("place 0 0")
    #expect(try o.hearTypes() == ["boardDidChange"])
    #expect(try o.askTypes("place 1 1") == ["boardDidChange"])
  }
}
