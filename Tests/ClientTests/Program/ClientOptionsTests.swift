import Shared
import Testing

@testable import Client

@Suite struct ClientOptionsTests {
  /// The options of a command line, without a configuration file.
  private func options(_ arguments: [String]) throws -> ClientOptions {
    guard case .play(let settings) = try ClientOptions.parse(arguments) else {
      throw UsageError("not a game")
    }
    return ClientOptions(settings)
  }

  @Test func `the default is the server on this machine`() throws {
    #expect(
      try options([])
        == ClientOptions(host: "localhost", port: 7_777, name: nil, isLocal: false))
  }

  @Test func `host, port and name can be given in any order`() throws {
    let expected = ClientOptions(host: "play.example.org", port: 80, name: "ann", isLocal: false)
    #expect(
      try options(["play.example.org", "--port", "80", "--name", "ann"]) == expected)
    #expect(
      try options(["--name=ann", "--port=80", "play.example.org"]) == expected)
  }

  @Test(
    arguments: [
      ("example.org:80", "example.org", 80), ("[::1]:80", "::1", 80), ("[::1]", "::1", 7_777),
      ("::1", "::1", 7_777), ("10.0.0.1:80", "10.0.0.1", 80), ("tictactoe:80", "tictactoe", 80),
    ] as [(String, String, UInt16)])
  func `a host can include a port`(
    _ operand: String, _ host: String, _ port: UInt16
  ) throws {
    #expect(try options([operand]) == ClientOptions(host: host, port: port))
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
    #expect(try options(["--", "-h"]) == ClientOptions(host: "-h"))
  }

  @Test func `local play needs no other option`() throws {
    #expect(try options(["--local"]) == ClientOptions(isLocal: true))
  }

  @Test func `plain lines can be requested`() throws {
    #expect(try options(["--plain"]) == ClientOptions(wantsPlain: true))
  }

  @Test(
    arguments: [
      ("bot", .bot), ("bob", .player("bob")), (" bob ross ", .player("bob ross")),
      ("anyone", .anyone), ("", .anyone), ("Bot", .bot),
    ] as [(String, Opponent)])
  func `the opponent is the bot, anyone or a player`(
    _ action: String, _ opponent: Opponent
  ) throws {
    #expect(
      try options(["--start", action])
        == ClientOptions(launchAction: .start(against: opponent)))
  }

  @Test func `a start can be combined with local play`() throws {
    #expect(
      try options(["--local", "--start", "bot"])
        == ClientOptions(isLocal: true, launchAction: .start(against: .bot)))
  }

  @Test func `a URL contains the server and the opponent`() throws {
    let expected = ClientOptions(
      host: "::1", port: 80, name: "ann", launchAction: .start(against: .bot))
    for arguments in [
      ["tictactoe://[::1]:80/start/bot"], ["tictactoe://[::1]", "--port", "80", "--start", "bot"],
      ["--start=bot", "tictactoe://[::1]:80"], ["--port=80", "tictactoe://[::1]/start/bot"],
    ] {
      #expect(try options(arguments + ["--name", "ann"]) == expected)
    }
    #expect(
      try options(["tictactoe://example.org"])
        == ClientOptions(host: "example.org"))
  }

  @Test func `a program can play, with arguments`() throws {
    let expected = ClientOptions(
      host: "play.example.org", port: 80, command: "python3 bot.py --fast")
    #expect(
      try options([
        "play.example.org", "--port", "80", "--exec", "python3 bot.py --fast",
      ]) == expected)
  }

  @Test(arguments: [["--help"], ["-h"], ["host", "--help"]])
  func `help is shown wherever the option stands`(_ arguments: [String]) throws {
    guard case .help = try ClientOptions.parse(arguments) else {
      throw UsageError("no help")
    }
  }

  @Test func `the version can be requested`() throws {
    guard case .version = try ClientOptions.parse(["--version"]) else {
      throw UsageError("no version")
    }
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
    (
      ["--start", "bob", "--level", "easy"],
      "--level is for the bot, so it cannot be combined with --start."
    ),
    (
      ["--exec", "./bot", "--game", "gomoku"],
      "--exec leaves the start to the program, so it cannot be combined with --game."
    ),
    (
      ["--level", "easy", "tictactoe://host/game/gomoku/hard"],
      "The URL already says how to begin, so it cannot be combined with --level."
    ),
    (["--bell"], "--bell needs a value."),
    (["--mouse", "maybe"], "--mouse takes yes or no, not “maybe”."),
    (["--host", "a"], "There is no option --host."),
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
    (["--local=1"], "--local takes yes or no, not “1”."),
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
      try options(arguments) == ClientOptions(launchAction: .watch("7q2k")))
  }

  @Test func `a start can name the game and the bot's level`() throws {
    let arguments = ["--start", "bot", "--game", "connect", "--level=easy"]
    let options = try options(arguments)
    #expect(options.launchAction == .start(against: .bot, game: "connect", level: .easy))
    #expect(options.choice == GameChoice(game: "connect", level: .easy))
  }

  @Test(arguments: [
    ["--start", "BOT", "--game", "GOMOKU", "--level", "Easy", "--plain=YES"],
    ["tictactoe://localhost/start/Bot/GOMOKU/EASY", "--plain=Yes"],
  ])
  func `words of the client can be given in capitals`(_ arguments: [String]) throws {
    let options = try options(arguments)
    #expect(options.launchAction == .start(against: .bot, game: "GOMOKU", level: .easy))
    #expect(options.wantsPlain)
  }

  @Test func `a game and a level without a start are chosen in the lobby`() throws {
    for arguments in [
      ["--game", "gomoku", "--level", "easy"], ["tictactoe://localhost/game/gomoku/easy"],
      ["tictactoe://localhost/game/gomoku", "--level=easy"],
    ] {
      let options = try options(arguments)
      #expect(options == ClientOptions(choice: GameChoice(game: "gomoku", level: .easy)))
    }
  }

  @Test func `local play can name the first player`() throws {
    #expect(
      try options(["--local", "--name", "ann"]) == ClientOptions(name: "ann", isLocal: true))
  }

  @Test(arguments: [("yes", true), ("on", true), ("true", true), ("no", false), ("off", false)])
  func `a switch takes yes or no`(_ answer: String, _ value: Bool) throws {
    #expect(try options(["--bell", answer]) == ClientOptions(hasBell: value))
    #expect(try options(["--mouse=\(answer)"]) == ClientOptions(hasMouse: value))
    #expect(try options(["--colors", answer]) == ClientOptions(hasColors: value))
    #expect(try options(["--ascii=\(answer)"]) == ClientOptions(isASCII: value))
    guard ["yes", "no"].contains(answer) else { return }
    #expect(try options(["--ascii", answer]) == ClientOptions(isASCII: value))
    #expect(try options(["--plain=\(answer)"]) == ClientOptions(wantsPlain: value))
    #expect(try options(["--local=\(answer)"]) == ClientOptions(isLocal: value))
  }

  @Test func `an option without a value can stand before the host`() throws {
    #expect(
      try options(["--ascii", "example.org"])
        == ClientOptions(host: "example.org", isASCII: true))
  }

  @Test(
    arguments: [
      (nil, [:], true), (nil, ["NO_COLOR": ""], true), (nil, ["NO_COLOR": "1"], false),
      (true, ["NO_COLOR": "1"], true), (false, [:], false),
    ] as [(Bool?, [String: String], Bool)])
  func `the option for colours wins over NO_COLOR`(
    _ option: Bool?, _ environment: [String: String], _ hasColors: Bool
  ) {
    let environment = environment.merging(["LANG": "C.UTF-8"]) { $1 }
    let settings = ClientOptions(hasColors: option).screenSettings(in: environment)
    #expect(settings == ScreenSettings(hasColors: hasColors))
  }

  @Test func `a replay is a match on a server, or a file without one`() throws {
    #expect(try options(["--replay", "zrg3"]) == ClientOptions(launchAction: .replay("zrg3")))
    #expect(
      try options(["tictactoe://host/replay/zrg3"])
        == ClientOptions(host: "host", launchAction: .replay("zrg3")))
    for path in ["./zrg3", "zrg3.txt", "/tmp/zrg3"] {
      #expect(try options(["--replay=\(path)"]) == ClientOptions(replayFile: path))
    }
    for other in [["host"], ["--name", "ann"], ["--watch", "m"], ["--local"], ["--exec", "x"]] {
      #expect(throws: UsageError.self) { try options(["--replay", "a.txt"] + other) }
    }
    for other in [["--start", "bot"], ["--watch", "m"], ["--local"], ["--game", "four"]] {
      #expect(throws: UsageError.self) { try options(["--replay", "zrg3"] + other) }
    }
  }

  @Test func `the help names every option and exit code`() {
    let help = ClientOptions.help
    for option in [
      "HOST", "--port", "--help", "--version", "URL",
    ] + ClientOption.allCases.filter({ $0 != .host }).map({ "--\($0.rawValue)" }) {
      #expect(help.contains(option))
    }
    for code in [
      ExitCode.ok, .usage, .damaged, .noInput, .noHost, .unavailable, .ioError, .configuration,
    ] {
      #expect(help.contains("\(code.rawValue) "))
    }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 90 })
    // It fits on a screen of 24 rows.
    #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
  }
}
