import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct HelpTests {
  private static let commands = [
    "login", "register", "unregister", "resume", "start", "open", "join", "cancel", "decline",
    "place", "resign", "leave", "say", "watch", "list", "history", "leaderboard", "replay",
    "sync", "ping", "help", "quit",
  ]

  private let server = TestServer()

  @Test func `help lists every command in the order of the protocol`() throws {
    let lines = try server.client().ask("help")
    #expect(lines.map { $0["command"]?.text } == Self.commands)
    #expect(lines.allSatisfy { $0["type"] == "help" })
  }

  @Test(arguments: commands)
  func `help of one command is one line whose example can be sent`(command: String) throws {
    let client = server.client()
    let lines = try client.ask("help \(command)")
    #expect(lines.count == 1)
    let help = try #require(lines.first)
    #expect(help["usage"]?.text?.hasPrefix(command) == true)
    #expect(help["about"]?.text?.isEmpty == false)
    let example = try #require(help["example"]?.text)
    #expect(try JSON(example)["type"]?.text == command)
    let answer = try client.askTypes(example)
    #expect(Set(answer).isDisjoint(with: ["badJSON", "missingField", "unknownType", "badField"]))
  }

  @Test(arguments: ["Place", "nothing", "didSay"])
  func `help of an unknown command is a bad field`(command: String) throws {
    let lines = try server.client().ask("help \(command)")
    #expect(kinds(lines) == ["badField"])
    #expect(lines.first?["field"] == "command")
  }
}
