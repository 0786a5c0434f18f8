import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct AdminCommandTests {
  private let fixture: AdminFixture
  private let admin: LineClient
  private var server: TestServer { fixture.server }

  init() throws {
    fixture = try AdminFixture(settings: ServerSettings(turn: nil, inviteWithin: nil))
    admin = fixture.admin()
  }

  @Test func `status counts what there is`() throws {
    _ = server.match()
    server.clock.advance(by: .seconds(90))
    let status = try #require(try admin.ask("status").first)
    #expect(status["type"] == "status")
    #expect(status["version"]?.text == Version.current)
    #expect(status["uptime"] == 90_000)
    #expect(status["connections"] == 2)
    #expect(status["sessions"] == 2)
    #expect(status["matches"] == 1)
    #expect(status["games"] == 1)
    #expect(status["draining"] == false)
    #expect(status["hasRoom"] == true)
    #expect(status["log"] == "info")
    #expect(status["data"] == nil)
  }

  @Test func `players lists everybody with the place, and bots not`() throws {
    let bot = server.client(as: "zoe")
    bot.say("start bot")
    _ = server.match()
    server.clock.advance(by: .seconds(5))
    let far = server.client(from: "192.0.2.7")
    far.say("login eve")
    far.say("watch \(try #require(try admin.ask("matches").last?["match"]?.text))")
    bot.cut()
    let lines = try admin.ask("players")
    #expect(lines.first == ["type": "players", "count": 4])
    #expect(lines.dropFirst().map { $0["name"] } == ["zoe", "ann", "bob", "eve"])
    #expect(lines[1]["away"] == true)
    #expect(lines[1]["place"] == "playing")
    #expect(lines[1]["since"] == 5_000)
    #expect(lines[2]["away"] == false)
    #expect(lines[4]["address"] == "192.0.2.7")
    #expect(lines[4]["place"] == "watching")
    #expect(lines[4]["match"] == lines[3]["match"])
    #expect(lines[4]["registered"] == false)
  }

  @Test func `matches lists the players, the score and the spectators`() throws {
    let (x, o) = server.match()
    server.playFirstRow(x, o)
    x.say("start")
    o.say("start")
    server.client(as: "eve").say("watch \(server.onlyMatch)")
    let lines = try admin.ask("matches")
    #expect(lines.count == 2)
    #expect(
      lines[1].without("since", "seq", "match") == [
        "type": "match", "game": "tictactoe", "players": ["X": "bob", "O": "ann"],
        "score": ["X": 0, "O": 1, "draws": 0], "spectators": 1, "running": true,
      ])
    #expect(lines[1]["match"]?.text == server.onlyMatch)
    #expect(lines[1]["seq"]?.integer ?? 0 > 6)
  }

  @Test func `kick ends the match as leave does, and the player may come back`() throws {
    let (x, o) = server.match()
    #expect(try admin.tell("kick ANN Be nice.") == "ann was disconnected: Be nice.")
    let lines = try x.hear()
    #expect(kinds(lines) == ["gameDidEnd", "matchDidEnd", "bye kicked"])
    #expect(lines[2]["message"] == "The operator of the server has disconnected you: Be nice.")
    #expect(lines[2]["retry"] == nil)
    #expect(x.isClosedByServer)
    let others = try o.hear()
    #expect(kinds(others) == ["gameDidEnd", "matchDidEnd"])
    #expect(others[0]["reason"] == "left")
    #expect(others[0]["winner"] == "O")
    #expect(try admin.tell("kick ann") == "unknownPlayer")
    #expect(try server.client().askTypes("login ann") == ["didLogin"])
    #expect(fixture.log.lines.contains("info admin command=kick: ann was disconnected: Be nice."))
    #expect(server.leaks.isEmpty)
  }

  @Test func `kick also ends the session of a player whose connection is lost`() throws {
    let (ann, bob) = try server.players()
    ann.cut()
    _ = try bob.hear()
    let zoe = server.client(as: "zoe")
    #expect(try admin.tell("kick ann") == "ann was disconnected.")
    #expect(try bob.hearTypes() == ["gameDidEnd", "matchDidEnd"])
    #expect(try server.client().askTypes("resume \(ann.token)") == ["unknownToken"])
    #expect(server.serverLog.counters.sessions.now == 2)
    #expect(try zoe.ask("list").first?["items"]?.elements.count == 2)
  }

  @Test func `a player who was away learns at the next log-in, once, of having been kicked`() throws
  {
    let (ann, _) = try server.players()
    ann.cut()
    let zoe = server.client(as: "zoe")
    #expect(try admin.tell("kick ann Be nice.") == "ann was disconnected: Be nice.")
    #expect(try admin.tell("kick zoe Go.") == "zoe was disconnected: Go.")
    #expect(zoe.isClosedByServer)
    let client = server.client()
    #expect(try client.askTypes("resume \(ann.token)") == ["unknownToken"])
    let lines = try client.ask("login ANN")
    #expect(kinds(lines) == ["didLogin", "announcement"])
    #expect(lines[1]["text"] == "The operator of the server has disconnected you: Be nice.")
    #expect(try client.askTypes("quit") == ["bye quit"])
    for name in ["ann", "zoe"] {
      #expect(try server.client().askTypes("login \(name)") == ["didLogin"])
    }
  }

  @Test func `kick reaches a player who waits or watches`() throws {
    let waiting = server.client(as: "ann")
    waiting.say("start")
    #expect(try admin.tell("kick ann") == "ann was disconnected.")
    #expect(try waiting.hearTypes() == ["didQueue", "bye kicked"].suffix(1))
    _ = server.match("x", "o")
    let eve = server.client(as: "eve")
    eve.say("watch \(server.onlyMatch)")
    _ = eve.takeLines()
    #expect(try admin.tell("kick eve") == "eve was disconnected.")
    #expect(try eve.hearTypes() == ["didLeave", "bye kicked"])
  }

  @Test func `a mute player cannot chat, and others can`() throws {
    let (x, o) = server.match()
    #expect(try admin.tell("mute ann 30m") == "ann cannot chat for 30 minutes.")
    let refusal = try #require(try x.ask("say hello").first)
    #expect(refusal["code"] == "unavailable")
    #expect(refusal["retry"] == 1_800_000)
    #expect(
      refusal["message"] == "The operator of the server has muted you for 30 minutes.")
    #expect(try o.askTypes("say hello") == ["didSay"])
    #expect(try admin.ask("players")[1]["muted"] == true)
    server.clock.advance(by: .seconds(1_800))
    #expect(try x.hear().count == 1)
    #expect(try x.askTypes("say hello") == ["didSay"])
    #expect(try admin.tell("mute ann") == "ann cannot chat any more.")
    #expect(try x.ask("say hello").first?["retry"] == nil)
    #expect(try admin.tell("unmute Ann") == "Ann can chat again.")
    #expect(try admin.tell("unmute ann") == "badField")
    #expect(try x.askTypes("say hello") == ["didSay"])
  }

  @Test func `the name of a guest with a number is not muted for ever, and not banned`() throws {
    #expect(try admin.tell(#"mute "Player 3""#) == "missingField")
    #expect(try admin.tell(#"mute "Player 3" 1h"#) == "Player 3 cannot chat for 1 hour.")
    #expect(try admin.tell(#"ban "player 3""#) == "badName")
  }

  @Test func `an announcement reaches everybody who is logged in`() throws {
    let (ann, stranger) = (server.client(as: "ann"), server.client())
    _ = ann.takeLines()
    #expect(try admin.tell("announce Tea is  ready.") == "Sent to 1 session: Tea is  ready.")
    #expect(try ann.hear() == [["type": "announcement", "text": "Tea is  ready."]])
    #expect(try stranger.hear() == [])
    #expect(try admin.tell("announce \(String(repeating: "x", count: 201))") == "badField")
  }

  @Test func `the greeting changes, is removed, and is that of the configuration again`() throws {
    let undo = "To take the greeting of the configuration, type: motd default"
    func expectShown(_ text: String) throws { #expect(try admin.tell("motd") == text) }
    try expectShown("Nobody is greeted. That comes from the configuration.")
    #expect(try admin.tell("motd Welcome!") == "Everybody who logs in is greeted with: Welcome!")
    #expect(
      try server.client().ask("login ann").last == ["type": "announcement", "text": "Welcome!"])
    try expectShown(
      "Everybody who logs in is greeted with “Welcome!”. That comes from the admin command motd."
        + " \(undo)")
    #expect(try admin.tell("motd none") == "Nobody is greeted any more. \(undo)")
    #expect(try server.client().askTypes("login bob") == ["didLogin"])
    try expectShown("Nobody is greeted. That comes from the admin command motd. \(undo)")
    server.control.apply(ServerSettings(turn: nil, inviteWithin: nil, motd: "Hello."))
    try expectShown("Nobody is greeted. That comes from the admin command motd. \(undo)")
    let configured =
      "Everybody who logs in is greeted with “Hello.”. That comes from the configuration."
    #expect(try admin.tell("motd default") == configured)
    try expectShown(configured)
    #expect(try server.client().askTypes("login eve") == ["didLogin", "announcement"])
  }

  @Test func `status says why the server is not ready, and what waits for a restart`() throws {
    func text() throws -> String { try AdminText.text(admin.say("status")) }
    #expect(try text().contains(/\nready +yes\n/))
    #expect(try text().contains(/\nconfiguration +as in the files\n/))
    fixture.program.whyNotReady = "Files are missing."
    fixture.program.optionsForRestart = ["host", "port"]
    #expect(try text().contains(/\nready +no: Files are missing\.\n/))
    #expect(
      try text().contains(
        /\nconfiguration +as in the files, but host, port with the next start\n/))
  }

  @Test func `in a shell the commands that a reply names are those of the program`() throws {
    let sentence = "There is no account called ann. To see all accounts, type: accounts"
    #expect(
      AdminTool.inShell(sentence)
        == "There is no account called ann. To see all accounts, type: tictactoe-server admin"
        + " accounts")
    let name = "For the player of that name, type: name:192.0.2.300"
    #expect(AdminTool.inShell(name) == name)
  }

  @Test func `the help needs no server`() throws {
    let all = try #require(try AdminTool.helpLines(AdminTool.request(["help"]).line))
    #expect(try AdminText.text(all) == AdminText.text(admin.say("help")))
    let one = try #require(try AdminTool.helpLines(AdminTool.request(["help", "drain"]).line))
    #expect(try AdminText.text(one).contains("drain [TIME]"))
    #expect(try AdminTool.helpLines(AdminTool.request(["status"]).line) == nil)
  }

  @Test func `drain lets the last game end, and an announcement keeps the time`() throws {
    let (x, o) = server.match()
    #expect(
      try admin.tell("drain 10m") == "No more games begin. The server stops when the 1 running game"
        + " has ended, in 10 minutes at the latest.")
    #expect(try x.hear().first?["left"] == 600_000)
    server.clock.advance(by: .seconds(60))
    admin.say("announce Hurry!")
    #expect(try x.hear().first?["left"] == 540_000)
    let status = try admin.ask("status").first
    #expect(status?["draining"] == true)
    #expect(status?["left"] == 540_000)
    // Another time.
    #expect(try admin.tell("drain 5s")?.hasSuffix("in 5 seconds at the latest.") == true)
    #expect(try x.hear().first?["left"] == 5_000)
    #expect(try server.client(as: "zoe").askTypes("start") == ["shuttingDown"])
    #expect(!fixture.program.hasStopped)
    server.playFirstRow(x, o)
    #expect(fixture.program.hasStopped)
  }

  @Test func `drain stops at once where no game runs`() throws {
    #expect(try admin.tell("drain 1h") == "The server stops now.")
    server.clock.advance(by: .zero)
    #expect(fixture.program.hasStopped)
    #expect(try admin.tell("drain soon") == "badField")
  }

  @Test func `resume takes a drain back, and everybody is told`() throws {
    #expect(try admin.tell("resume") == "unavailable")
    let (x, _) = server.match()
    let (ann, bob) = (server.client(as: "c"), server.client(as: "d"))
    _ = (x.takeLines(), ann.takeLines(), bob.takeLines())
    admin.say("drain 10m")
    _ = (x.takeLines(), ann.takeLines(), bob.takeLines())
    #expect(try admin.tell("resume") == "Games begin again.")
    let goesOn: JSON = [
      "type": "announcement", "text": "The server goes on. New games begin again.",
    ]
    #expect(try x.hear() == [goesOn])
    #expect(try ann.hear() == [goesOn])
    #expect(try bob.hear() == [goesOn])
    #expect(try server.client().askTypes("login eve") == ["didLogin"])
    #expect(try ann.askTypes("start d") == ["didQueue"])
    #expect(try bob.askTypes("start c") == ["invited", "gameDidStart"])
    server.clock.advance(by: .seconds(3_600))
    #expect(!fixture.program.hasStopped)
    #expect(try admin.ask("status").first?["draining"] == false)
  }

  @Test func `reload says what has changed, or what is wrong`() throws {
    #expect(try admin.tell("reload") == "turn is 20s now.")
    fixture.program.reloaded = (["Line 3 is wrong.", "Nothing has changed."], false)
    let refusal = try admin.ask("reload").first
    #expect(refusal?["code"] == "unavailable")
    #expect(refusal?["message"] == "Line 3 is wrong. Nothing has changed.")
  }

  @Test func `log changes the level of the log`() throws {
    #expect(try admin.tell("log warning") == "The level of the log is warning.")
    _ = fixture.log.take()
    _ = server.client(as: "ann")
    #expect(fixture.log.take() == [])
    #expect(try admin.tell("log debug") == "The level of the log is debug.")
    #expect(fixture.log.take() == ["info admin command=log: The level of the log is debug."])
    _ = server.client(as: "bob")
    #expect(!fixture.log.take().isEmpty)
    #expect(try admin.tell("log off") == "The level of the log is off.")
    #expect(try admin.ask("status").first?["log"] == "off")
  }

  @Test func `tree shows the RIBs and the counters`() throws {
    _ = server.match()
    let lines = try admin.ask("tree")
    #expect(lines.first?["count"]?.integer == lines.count - 1)
    let texts = lines.dropFirst().map { $0["text"]?.text ?? "" }
    #expect(texts.first == "Root")
    #expect(texts.contains { $0.hasPrefix("  LoggedIn: ") && $0.contains("X ann") })
    #expect(texts.last?.hasPrefix("connections=2 connectionsTotal=2 sessions=2") == true)
  }

  @Test func `help lists all commands, and every example is a command`() throws {
    let lines = try admin.ask("help")
    #expect(lines.first == ["type": "help", "count": JSON.number(AdminCommand.allCases.count)])
    #expect(
      lines.dropFirst().map { $0["command"]?.text } == AdminCommand.allCases.map(\.rawValue))
    for line in lines.dropFirst() {
      let example = try #require(line["example"]?.text)
      #expect(try JSON(example)["type"] == line["command"])
      var decoder = LineDecoder.forAdmin
      #expect(try decoder.decode(Array(example.utf8).span) != nil)
    }
    #expect(try admin.ask("help kick").count == 2)
    #expect(try admin.askTypes("help dance") == ["badField"])
  }
}
