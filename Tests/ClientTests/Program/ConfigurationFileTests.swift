import Foundation
import Shared
import Testing

@testable import Client

@Suite struct ConfigurationFileTests {
  private let file = ConfigurationFile(path: "/c/config")

  /// The options of a file and a command line.
  private func options(_ text: String, _ arguments: [String] = []) throws -> ClientOptions {
    guard case .play(let commandLine) = try ClientOptions.parse(arguments) else {
      throw UsageError("not a game")
    }
    let settings = try file.settings(in: Data(text.utf8))
    return ClientOptions(OptionSetting.merge(commandLine, over: settings))
  }

  @Test func `every option of the command line can stand in the file`() throws {
    let text = """
      # my options
      host=example.org
        port  =  80
      name = ann lee

      start = bot
      game = connect
      level = easy
      plain = yes\r
      ascii = on # even here
      bell = no
      mouse = off
      colors = false
      local = no
      """
    #expect(
      try options(text)
        == ClientOptions(
          host: "example.org", port: 80, name: "ann lee", wantsPlain: true,
          launchAction: .start(against: .bot, game: "connect", level: .easy),
          choice: GameChoice(game: "connect", level: .easy), isASCII: true, hasBell: false,
          hasMouse: false, hasColors: false))
    #expect(try options("watch = 7q2k") == ClientOptions(launchAction: .watch("7q2k")))
    #expect(try options("exec = ./bot --fast=1") == ClientOptions(command: "./bot --fast=1"))
    #expect(try options("local = yes") == ClientOptions(isLocal: true))
    #expect(try options("host = [::1]:80") == ClientOptions(host: "::1", port: 80))
  }

  @Test(arguments: ["", "\n\n", "# name = ann", "  \t#", "\r\n"])
  func `blank lines and comments set nothing`(_ text: String) throws {
    #expect(try options(text) == ClientOptions())
  }

  @Test func `a number sign begins a comment only after white space`() throws {
    #expect(try options("name = a#1").name == "a#1")
    #expect(try options("name = a #1").name == "a")
    #expect(try options("name =").name == "")
  }

  @Test(arguments: [
    (["--name", "bob"], ClientOptions(host: "a", port: 80, name: "bob", hasBell: false)),
    (["--port", "90"], ClientOptions(host: "a", port: 90, name: "ann", hasBell: false)),
    // The file's port belongs to its host.
    (["b"], ClientOptions(host: "b", name: "ann", hasBell: false)),
    (["b:90"], ClientOptions(host: "b", port: 90, name: "ann", hasBell: false)),
    (["--bell", "yes"], ClientOptions(host: "a", port: 80, name: "ann")),
    (["--local"], ClientOptions(name: "ann", isLocal: true, hasBell: false)),
    (["--exec", "x"], ClientOptions(host: "a", port: 80, command: "x", hasBell: false)),
  ])
  func `the command line wins over the file`(_ arguments: [String], _ expected: ClientOptions)
    throws
  {
    #expect(try options("host = a:80\nname = ann\nbell = no", arguments) == expected)
  }

  @Test func `an option of the file that contradicts the command line is left out`() throws {
    let watching = ClientOptions(launchAction: .watch("m"))
    #expect(try options("start = bot", ["--watch", "m"]) == watching)
    #expect(try options("start = bot", ["tictactoe://localhost/watch/m"]) == watching)
    #expect(try options("exec = ./bot", ["--watch", "m"]) == watching)
    #expect(try options("local = yes", ["--watch", "m"]) == watching)
    #expect(try options("watch = m", ["--local"]) == ClientOptions(isLocal: true))
    #expect(try options("plain = yes", ["--plain=no"]) == ClientOptions())
    #expect(try options("port = 80", ["b"]) == ClientOptions(host: "b", port: 80))
  }

  @Test func `a level in the file remains for later games against the bot`() throws {
    #expect(
      try options("level = easy", ["--start", "bob"])
        == ClientOptions(
          launchAction: .start(against: .player("bob")), choice: GameChoice(level: .easy)))
  }

  @Test(arguments: [
    ("name", "line 1: “name” has no “=”. Write, for example: name = ann"),
    ("\n# x\nport = http", "line 3: port takes a number from 1 to 65535, not “http”."),
    ("bell = maybe", "line 1: bell takes yes or no, not “maybe”."),
    ("bell =", "line 1: bell takes yes or no, not “”."),
    ("level = best", "line 1: level must be easy, medium or hard, not “best”."),
    ("exec =", "line 1: exec needs a command."),
    ("host =", "line 1: HOST is empty. For localhost, leave it out."),
    (
      "host = a:b",
      "line 1: “a:b” is not a valid HOST: write HOST, HOST:PORT or [IPV6]:PORT, with a port"
        + " from 1 to 65535."
    ),
    ("help = yes", "line 1: help works only on the command line."),
    ("version = 1", "line 1: version works only on the command line."),
    (
      "start = bot\nwatch = m",
      "line 2: start and watch cannot be combined: one plays, the other watches."
    ),
    (
      "local = yes\nhost = a",
      "line 2: local plays without a server, so it cannot be combined with a."
    ),
  ])
  func `a mistake is reported with its line`(_ text: String, _ sentence: String) {
    #expect(throws: ConfigurationError(message: "/c/config, \(sentence)")) {
      try file.settings(in: Data(text.utf8))
    }
  }

  @Test(arguments: [("colour", "colors"), ("--name", "name"), ("Name", "name"), ("LEVL", "level")])
  func `a misspelled option is reported with the one that was meant`(
    _ name: String, _ meant: String
  ) {
    let message = "/c/config, line 1: There is no option “\(name)”. Did you mean \(meant)?"
    #expect(throws: ConfigurationError(message: message)) {
      try file.settings(in: Data("\(name) = x".utf8))
    }
  }

  @Test(arguments: ["wants_plain", "", "no-bell"])
  func `an unknown option is reported with the ones that exist`(_ name: String) {
    let names = ClientOption.ofFile.map(\.rawValue).joined(separator: ", ")
    let message =
      "/c/config, line 1: There is no option “\(name)”. The options are: \(names)."
    #expect(throws: ConfigurationError(message: message)) {
      try file.settings(in: Data("\(name) = x".utf8))
    }
  }

  @Test func `a line that is not UTF-8 is reported`() {
    let message = "/c/config, line 2: The line is not valid UTF-8."
    #expect(throws: ConfigurationError(message: message)) {
      try file.settings(in: Data("name = ann\nname = ".utf8) + [0xFF])
    }
  }

  @Test func `a file that does not exist sets nothing`() throws {
    #expect(try ConfigurationFile(path: "/nonexistent/config").read().isEmpty)
    // As with XDG_CONFIG_HOME=/dev/null.
    #expect(try ConfigurationFile(path: "/dev/null/tictactoe/config").read().isEmpty)
  }

  @Test func `a folder or a device in place of the file is reported`() throws {
    for path in [NSTemporaryDirectory(), "/dev/null"] {
      #expect(
        throws: ConfigurationError(message: "\(path) cannot be read: it is not a regular file.")
      ) {
        try ConfigurationFile(path: path).read()
      }
    }
  }

  @Test func `the environment names the file`() {
    #expect(ConfigurationFile(in: ["XDG_CONFIG_HOME": "/c"])?.path == "/c/tictactoe/config")
    #expect(ConfigurationFile(in: ["HOME": "/h"])?.path == "/h/.config/tictactoe/config")
    #expect(ConfigurationFile(in: [:]) == nil)
  }
}
