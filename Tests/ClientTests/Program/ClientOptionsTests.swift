import Shared
import Testing

@testable import Client

@Suite struct ClientOptionsTests {
  @Test func `the default is the server on this machine`() throws {
    #expect(
      try ClientOptions.parse([])
        == .play(ClientOptions(host: "localhost", port: 7_777, name: nil, isLocal: false)))
  }

  @Test func `host, port and name can be given in any order`() throws {
    let expected = ClientOptions.Action.play(
      ClientOptions(host: "play.example.org", port: 80, name: "ann", isLocal: false))
    #expect(
      try ClientOptions.parse(["play.example.org", "--port", "80", "--name", "ann"]) == expected)
    #expect(
      try ClientOptions.parse(["--name=ann", "--port=80", "play.example.org"]) == expected)
  }

  @Test(
    arguments: [
      ("example.org:80", "example.org", 80), ("[::1]:80", "::1", 80), ("[::1]", "::1", 7_777),
      ("::1", "::1", 7_777), ("10.0.0.1:80", "10.0.0.1", 80), ("tictactoe:80", "tictactoe", 80),
    ] as [(String, String, UInt16)])
  func `a host can include a port`(
    _ operand: String, _ host: String, _ port: UInt16
  ) throws {
    #expect(try ClientOptions.parse([operand]) == .play(ClientOptions(host: host, port: port)))
  }

  @Test(arguments: [
    "host:", ":80", "host:http", "host:0", "host:65536", "host:+1", "[::1]80", "[]",
  ])
  func `an invalid host or port is refused with a sentence`(_ operand: String) {
    #expect(
      throws: UsageError(
        "“\(operand)” is not a valid HOST: write HOST, HOST:PORT or [IPV6]:PORT,"
          + " with a port from 1 to 65535.")
    ) { try ClientOptions.parse([operand]) }
  }

  @Test func `a host after two dashes can begin with a dash`() throws {
    #expect(try ClientOptions.parse(["--", "-h"]) == .play(ClientOptions(host: "-h")))
  }

  @Test func `local play needs no other option`() throws {
    #expect(try ClientOptions.parse(["--local"]) == .play(ClientOptions(isLocal: true)))
  }

  @Test func `plain lines can be requested`() throws {
    #expect(try ClientOptions.parse(["--plain"]) == .play(ClientOptions(wantsPlain: true)))
  }

  @Test(
    arguments: [
      ("bot", .bot), ("bob", .player("bob")), (" bob ross ", .player("bob ross")),
      ("anyone", .anyone), ("", .anyone), ("Bot", .player("Bot")),
    ] as [(String, Opponent)])
  func `the opponent is the bot, anyone or a player`(
    _ action: String, _ opponent: Opponent
  ) throws {
    #expect(
      try ClientOptions.parse(["--start", action])
        == .play(ClientOptions(launchAction: .start(against: opponent))))
  }

  @Test func `a start can be combined with local play`() throws {
    #expect(
      try ClientOptions.parse(["--local", "--start", "bot"])
        == .play(ClientOptions(isLocal: true, launchAction: .start(against: .bot))))
  }

  @Test func `a URL contains the server and the opponent`() throws {
    let expected = ClientOptions.Action.play(
      ClientOptions(host: "::1", port: 80, name: "ann", launchAction: .start(against: .bot)))
    for arguments in [
      ["tictactoe://[::1]:80/start/bot"], ["tictactoe://[::1]", "--port", "80", "--start", "bot"],
      ["--start=bot", "tictactoe://[::1]:80"], ["--port=80", "tictactoe://[::1]/start/bot"],
    ] {
      #expect(try ClientOptions.parse(arguments + ["--name", "ann"]) == expected)
    }
    #expect(
      try ClientOptions.parse(["tictactoe://example.org"])
        == .play(ClientOptions(host: "example.org")))
  }

  @Test func `a program can play, with arguments`() throws {
    let expected = ClientOptions.Action.play(
      ClientOptions(host: "play.example.org", port: 80, command: "python3 bot.py --fast"))
    #expect(
      try ClientOptions.parse([
        "play.example.org", "--port", "80", "--exec", "python3 bot.py --fast",
      ]) == expected)
  }

  @Test(arguments: [["--help"], ["-h"], ["host", "--help"]])
  func `help is shown wherever the option stands`(_ arguments: [String]) throws {
    #expect(try ClientOptions.parse(arguments) == .help)
  }

  @Test func `the version can be requested`() throws {
    #expect(try ClientOptions.parse(["--version"]) == .version)
  }

  @Test(arguments: [
    (["--colour"], "There is no option --colour."),
    (["one", "two"], "“two” is one argument too many: give one HOST."),
    ([""], "HOST is empty. For localhost, leave it out."),
    (["--port", "0"], "--port takes a number from 1 to 65535, not “0”."),
    (["--port", "65536"], "--port takes a number from 1 to 65535, not “65536”."),
    (["--port", "http"], "--port takes a number from 1 to 65535, not “http”."),
    (["--port"], "--port needs a value."),
    (["--name"], "--name needs a value."),
    (["--start"], "--start needs a value."),
    (
      ["tictactoe://host:80", "--port", "80"],
      "The URL already names a port, so it cannot be combined with --port."
    ),
    (
      ["host:80", "--port", "80"],
      "HOST already names a port, so it cannot be combined with --port."
    ),
    (
      ["--start", "bot", "tictactoe://host/start"],
      "The URL already says how to begin, so it cannot be combined with --start."
    ),
    (
      ["--watch", "m", "tictactoe://host/start"],
      "The URL already says how to begin, so it cannot be combined with --watch."
    ),
    (["--watch", "m", "--start", "bot"], ClientOptionsTests.startOrWatch),
    (["--start", "bot", "--watch=m"], ClientOptionsTests.startOrWatch),
    (["--watch", " "], "--watch needs the id of a match."),
    (["--game", "gomoku"], "--game needs --start."),
    (["--level", "easy"], "--level needs --start."),
    (["--start", "bob", "--level", "easy"], "--level needs --start bot."),
    (["--game", " "], "--game needs the id of a game."),
    (["--start", "bot", "--level", "best"], "--level must be easy, medium or hard, not “best”."),
    (
      ["--game", "four", "tictactoe://host/start/bot/gomoku"],
      "The URL already says how to begin, so it cannot be combined with --game."
    ),
    (
      ["--watch", "m", "--local"],
      "--local plays without a server, so it cannot be combined with --watch."
    ),
    (
      ["--exec", "./bot", "--watch", "m"],
      "--exec leaves the start to the program, so it cannot be combined with --watch."
    ),
    (["tictactoe://host", "two"], "“two” is one argument too many: give one HOST."),
    (
      ["tictactoe://host/start/bot", "--local"],
      "--local plays without a server, so it cannot be combined with tictactoe://host/start/bot."
    ),
    (
      ["http://host"],
      "“http://host” is not a valid URL:"
        + " a URL is written tictactoe://HOST:PORT/start/OPPONENT."
    ),
    (
      ["--exec", "./bot", "--start", "bot"],
      "--exec leaves the start to the program, so it cannot be combined with --start."
    ),
    (["--exec"], "--exec needs a value."),
    (["--exec="], "--exec needs a command."),
    (
      ["--exec", "./bot", "--local"],
      "--local plays without a server, so it cannot be combined with --exec."
    ),
    (
      ["--exec", "./bot", "--name", "ann"],
      "--exec leaves the login to the program, so it cannot be combined with --name."
    ),
    (["--local=yes"], "--local takes no value."),
    (
      ["--local", "--name", "ann"],
      "--local plays without a server, so it cannot be combined with --name."
    ),
    (
      ["--port", "80", "--local"],
      "--local plays without a server, so it cannot be combined with --port."
    ),
    (
      ["example.org", "--local"],
      "--local plays without a server, so it cannot be combined with example.org."
    ),
  ])
  func `an invalid command line is refused with a sentence`(
    _ arguments: [String], _ sentence: String
  ) {
    #expect(throws: UsageError(sentence)) { try ClientOptions.parse(arguments) }
  }

  private static let startOrWatch =
    "--start and --watch cannot be combined: one plays, the other watches."

  @Test(arguments: [["--watch", "7q2k"], ["--watch= 7q2k "], ["tictactoe://localhost/watch/7q2k"]])
  func `a match to watch can be given by the option or the URL`(_ arguments: [String]) throws {
    #expect(
      try ClientOptions.parse(arguments) == .play(ClientOptions(launchAction: .watch("7q2k"))))
  }

  @Test func `a start can name the game and the bot's level`() throws {
    let arguments = ["--start", "bot", "--game", "connect", "--level=easy"]
    guard case .play(let options) = try ClientOptions.parse(arguments) else {
      Issue.record("not a game")
      return
    }
    #expect(
      options.launchAction == .start(against: .bot, game: "connect", level: .easy))
  }

  @Test func `the help names every option and exit code`() {
    let help = ClientOptions.help
    for option in [
      "HOST", "--port", "--name", "--start", "--watch", "--exec", "--local", "--plain", "--help",
      "--version",
    ] {
      #expect(help.contains(option))
    }
    for code in [ExitCode.ok, .usage, .noHost, .unavailable, .ioError] {
      #expect(help.contains("\(code.rawValue) "))
    }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 90 })
    // It fits on a screen of 24 rows.
    #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
  }
}
