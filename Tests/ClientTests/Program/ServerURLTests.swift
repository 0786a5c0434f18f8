import Shared
import Testing

@testable import Client

@Suite struct ServerURLTests {
  @Test(
    arguments: [
      ("tictactoe://host", "host", nil), ("tictactoe://host/", "host", nil),
      ("tictactoe://host:80", "host", 80), ("tictactoe://host:/", "host", nil),
      ("TicTacToe://play.example.org:65535/", "play.example.org", 65_535),
      ("tictactoe://127.0.0.1:1", "127.0.0.1", 1), ("tictactoe://[::1]", "::1", nil),
      ("tictactoe://[fe80::1%25eth0]:80/", "fe80::1%eth0", 80),
    ] as [(String, String, UInt16?)])
  func `a URL contains a host and an optional port`(
    _ text: String, _ host: String, _ port: UInt16?
  ) throws {
    let url = try ServerURL(text)
    #expect(url.host == host)
    #expect(url.port == port)
    #expect(url.action == nil)
  }

  @Test(
    arguments: [
      ("start/bot", .bot), ("start/bob", .player("bob")), ("start/bob%20ross", .player("bob ross")),
      ("start/a%2Fb", .player("a/b")), ("start/J%C3%BCrgen", .player("Jürgen")),
      ("start", .anyone), ("start/", .anyone), ("start/anyone", .anyone), ("start/%20", .anyone),
    ] as [(String, Opponent)])
  func `a URL can name the opponent`(_ path: String, _ opponent: Opponent) throws {
    #expect(try ServerURL("tictactoe://host:80/\(path)").action == .start(against: opponent))
    #expect(try ServerURL("tictactoe://[::1]/\(path)").action == .start(against: opponent))
  }

  @Test(arguments: ["start/x%0aThe%20server", "join/%1b%5b2J", "watch/%0D", "game/%E2%80%AEx"])
  func `a URL with characters that cannot be shown is refused`(path: String) {
    let error = #expect(throws: UsageError.self) { try ServerURL("tictactoe://host/\(path)") }
    #expect(error?.message.contains("cannot be shown") == true)
  }

  @Test func `a URL can ask for TLS`() throws {
    let url = try ServerURL("tictactoes://[::1]:80/join/k7w2mx")
    #expect(url.usesTLS)
    #expect(url.host == "::1")
    #expect(url.port == 80)
    #expect(url.action == .join("k7w2mx"))
    #expect(try ServerURL("TICTACTOES://host").usesTLS)
    #expect(try !ServerURL("tictactoe://host").usesTLS)
    #expect(ServerURL.isMeant(by: "tictactoes:/host"))
    #expect(!ServerURL.isMeant(by: "tictactoes:7777"))
    #expect(throws: UsageError.self) { try ServerURL("tictactoess://host") }
  }

  @Test func `the words of a URL can have capitals`() throws {
    #expect(try ServerURL("tictactoe://host/Watch/zRg3").action == .watch("zRg3"))
    #expect(try ServerURL("tictactoe://host/REPLAY/zrg3").action == .replay("zrg3"))
    #expect(try ServerURL("tictactoe://host/Join/k7w2mx").action == .join("k7w2mx"))
    #expect(try ServerURL("tictactoe://host/START").action == .start(against: .anyone))
    #expect(
      try ServerURL("tictactoe://host/Start/BOT/Gomoku/EASY").action
        == .start(against: .bot, game: "Gomoku", level: .easy))
    #expect(
      try ServerURL("tictactoe://host/Game/gomoku/Easy").choice
        == GameChoice(game: "gomoku", level: .easy))
  }

  @Test func `a URL can name a match to see again`() throws {
    #expect(try ServerURL("tictactoe://host/replay/zrg3").action == .replay("zrg3"))
    for path in ["replay", "replay/", "replay/a/b"] {
      #expect(throws: UsageError.self) { try ServerURL("tictactoe://host/\(path)") }
    }
  }

  @Test func `a URL can name the game and the bot's level`() throws {
    #expect(
      try ServerURL("tictactoe://host/start/bob/gomoku").action
        == .start(against: .player("bob"), game: "gomoku"))
    #expect(
      try ServerURL("tictactoe://host/start/bot/gomoku/easy").action
        == .start(against: .bot, game: "gomoku", level: .easy))
  }

  @Test func `a URL can name the game to choose in the lobby`() throws {
    for (path, choice) in [
      ("game/gomoku", GameChoice(game: "gomoku")),
      ("game/my%2Fgame/hard", GameChoice(game: "my/game", level: .hard)),
    ] {
      let url = try ServerURL("tictactoe://host/\(path)")
      #expect(url.choice == choice)
      #expect(url.action == nil)
    }
    #expect(try ServerURL("tictactoe://host/start/bot/gomoku/easy").choice == nil)
  }

  @Test(arguments: [
    "http://host", "//host", "tictactoe:", "tictactoe:host", "tictactoe:/host", "tictactoe://",
    "tictactoe:///start/bot", "tictactoe://:80", "tictactoe://[]", "tictactoe://[::1",
    "tictactoe://::1", "tictactoe://host:x", "tictactoe://host:-1", "tictactoe://a b",
    "tictactoe://host/start/bob ross", "tictactoe://host/start/%zz",
  ])
  func `an invalid URL is refused with the correct format`(_ text: String) {
    #expect(ServerURL.isMeant(by: text))
    #expect(
      throws: UsageError(
        "“\(text)” is not a valid URL: a URL is written tictactoe://HOST:PORT/start/OPPONENT.")
    ) { try ServerURL(text) }
  }

  @Test(arguments: ["0", "65536", "99999999999999999999999"])
  func `a port outside 1 to 65535 is refused`(_ port: String) {
    #expect(
      throws: UsageError(
        "“tictactoe://h:\(port)” is not a valid URL: a port is a number from 1 to 65535.")
    ) { try ServerURL("tictactoe://h:\(port)") }
  }

  @Test(arguments: [
    "play", "start/bob/gomoku/easy", "start/bot/gomoku/best", "start/bot/a/easy/b", "start//bob",
    "start/bob/", "/", "start/%FF", "Star", "watch",
    "watch/", "watch/a/b", "game", "game/", "game//easy", "game/four/best", "game/four/easy/b",
  ])
  func `an unknown path is refused`(_ path: String) {
    let text = "tictactoe://host/\(path)"
    #expect(
      throws: UsageError(
        "“\(text)” is not a valid URL: after the host only"
          + " /start/OPPONENT/GAME/LEVEL, /join/CODE, /watch/MATCH, /replay/MATCH or"
          + " /game/GAME/LEVEL may follow.")
    ) { try ServerURL(text) }
  }

  @Test(arguments: ["ann@host", "ann:secret@host", "host?start=bot", "host#start", "host/start?"])
  func `a user, a query and a fragment are refused`(_ rest: String) {
    let text = "tictactoe://\(rest)"
    #expect(
      throws: UsageError(
        "“\(text)” is not a valid URL: a URL may contain only a host, a port,"
          + " and a path such as /start/OPPONENT.")
    ) { try ServerURL(text) }
  }

  @Test(arguments: ["host", "example.org", "::1", "127.0.0.1", "tictactoe", "tictactoe.example"])
  func `a plain host is not a URL`(_ word: String) {
    #expect(!ServerURL.isMeant(by: word))
  }
}
