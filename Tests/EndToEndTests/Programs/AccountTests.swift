import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

/// Accounts, finished games and replays with the real programs.
@Suite(.serialized) struct AccountTests {
  private let folder = NSTemporaryDirectory() + "tictactoe-accounts-\(UUID().uuidString)"
  private let server: RunningServer

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    server = try RunningServer(["--data", folder + "/data"])
  }

  /// The environment of a script whose password is in a file.
  private func environment(password: String) throws -> [String: String] {
    let path = "\(folder)/\(password)"
    try Data("\(password)\n".utf8).write(to: URL(fileURLWithPath: path))
    return [PasswordFile.variable: path]
  }

  private func client(
    _ name: String, _ arguments: [String] = [], password: String? = nil
  ) throws -> RunningProgram {
    try RunningProgram(
      product: "tictactoe-client",
      ["127.0.0.1", "--port", server.port, "--name", name] + arguments,
      environment: password.map(environment) ?? [:])
  }

  @Test func `registered players play, and see their games, their ratings and a replay`() throws {
    let ann = try client("ann", password: "annes secret")
    try ann.type("register")
    try ann.read(until: "“ann” is registered.")
    let bob = try client("bob", password: "bobs secret")
    try bob.type("register")
    try bob.read(until: "“bob” is registered.")
    for line in ["start bob", "1", "2", "3", "leave"] { try ann.type(line) }
    try ann.read(until: "Waiting for bob")
    for line in ["start ann", "4", "5"] { try bob.type(line) }
    try ann.read(until: "You win with 1, 2, 3.")
    try bob.read(until: "ann has left the match.")
    try ann.read(until: "You are in the lobby.")
    try ann.read(until: "\n> ")
    // A finished game is in the history within a second.
    var games = ""
    repeat {
      try ann.type("history")
      games = try ann.read(until: "\n> ")
    } while !games.contains("won against bob")
    let match = try #require(games.firstMatch(of: /\n  ([a-z0-9]+)  won against bob/)?.1)
    try ann.type("leaderboard")
    try ann.read(until: "1. ann ")
    try ann.type("replay \(match)")
    try ann.read(until: "Replay of \(match), 5 moves: end.")
    try ann.endInput()
    #expect(try ann.exitCode() == 0)
    try bob.endInput()
    #expect(try bob.exitCode() == 0)
    let screen = try server.screen(
      ["--name", "eve", "--replay", String(match)], environment: [:])
    try screen.wait(for: "move 5 of 5, 1.0 s a move, at the end")
    try screen.type("q")
    try screen.wait(for: "You have left the replay")
    try screen.type("q")
    try screen.expectEnd(0)
  }

  @Test func `a script without the password, or with a wrong one, exits with 69`() throws {
    let ann = try client("ann", password: "annes secret")
    try ann.type("register")
    try ann.read(until: "“ann” is registered.")
    try ann.endInput()
    #expect(try ann.exitCode() == 0)
    let stranger = try client("ann")
    #expect(try stranger.exitCode() == 69)
    #expect(try stranger.errorOutput().contains("TICTACTOE_PASSWORD_FILE"))
    let thief = try client("ann", password: "wrong secret")
    #expect(try thief.exitCode() == 69)
    let back = try client("ann", password: "annes secret")
    try back.read(until: "You are ann.")
    try back.type("unregister")
    try back.read(until: "“ann” is no longer registered.")
    try back.endInput()
    #expect(try back.exitCode() == 0)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
  func `a signal at the question for a password restores the terminal`(signal: Int32) throws {
    let ann = try client("ann", password: "annes secret")
    try ann.type("register")
    try ann.read(until: "“ann” is registered.")
    try ann.endInput()
    #expect(try ann.exitCode() == 0)
    let screen = try server.screen(["--name", "ann", "--plain"])
    try screen.wait(for: "Password (blank: choose another name):")
    screen.terminal.send(signal)
    #expect(try screen.terminal.exitCode() == -signal)
    try screen.expectRestored()
  }

  @Test func `plain lines do not show the password`() throws {
    let ann = try client("ann", password: "annes secret")
    try ann.type("register")
    try ann.read(until: "“ann” is registered.")
    try ann.endInput()
    #expect(try ann.exitCode() == 0)
    let screen = try server.screen(["--name", "ann", "--plain"])
    try screen.wait(for: "Password (blank: choose another name):")
    try screen.type("annes secret\r")
    try screen.wait(for: "You are ann.")
    #expect(!screen.terminal.screen.lines.joined().contains("secret"))
    try screen.wait(until: "The prompt") { $0.contains { $0.hasPrefix(">") } }
    try screen.type("mute\r")
    // The echo is on again.
    try screen.wait(for: "> mute")
    try screen.type("quit\r")
    #expect(try screen.terminal.exitCode() == 0)
  }

  @Test func `the form asks for the password, and shows dots`() throws {
    let ann = try client("ann", password: "annes secret")
    try ann.type("register")
    try ann.read(until: "“ann” is registered.")
    try ann.endInput()
    #expect(try ann.exitCode() == 0)
    let screen = try server.screen(["--name", "ann"])
    try screen.wait(for: "“ann” is registered. Type its password.")
    try screen.type("annes secret")
    try screen.wait(for: "••••••••••••")
    try screen.type(Keys.enter)
    try screen.wait(for: "Whom do you want to play?")
    try screen.type("q")
    try screen.expectEnd(0)
  }
}
