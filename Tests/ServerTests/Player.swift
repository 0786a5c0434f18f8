import RIBs
import Shared
import TestSupport
import Testing

/// A player whose session continues over several connections.
final class Player {
  let server: TestServer
  private(set) var client: LineClient
  private(set) var token = ""

  init(_ name: String, at server: TestServer) throws {
    self.server = server
    client = server.client()
    token = try #require(try client.ask("login \"\(name)\"").first?["token"]?.text)
  }

  init(_ client: LineClient, token: String, at server: TestServer) {
    self.server = server
    self.client = client
    self.token = token
  }

  @discardableResult
  func ask(_ line: String) throws -> [JSON] { try client.ask(line) }

  func askTypes(_ line: String) throws -> [String] { try client.askTypes(line) }

  func hear() throws -> [JSON] { try client.hear() }

  func hearTypes() throws -> [String] { try client.hearTypes() }

  /// Cuts the connection without an end of input.
  func cut() { client.cut() }

  /// Resumes on a new connection, and returns its lines.
  @discardableResult
  func resume(after seq: Int? = nil) throws -> [JSON] {
    client = server.client()
    let lines = try client.ask("resume \(token)\(seq.map { " \($0)" } ?? "")")
    token = try #require(lines.first?["token"]?.text)
    return lines
  }
}

extension TestServer {
  /// Two players in the first game of a match who have read everything. The first one is X.
  func players(_ x: String = "ann", _ o: String = "bob") throws -> (x: Player, o: Player) {
    let players = (x: try Player(x, at: self), o: try Player(o, at: self))
    try players.x.ask("start \"\(o)\"")
    try players.o.ask("start \"\(x)\"")
    _ = try (players.x.hear(), players.o.hear())
    return players
  }

  /// Two players between two games who have read everything. O has resigned the first game.
  func playersBetweenGames() throws -> (x: Player, o: Player) {
    let players = try players()
    try players.o.ask("resign")
    _ = try players.x.hear()
    return players
  }

  /// Expects that nothing is left: no match, no session, no timer, and no leak.
  func expectNothingLeft(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(root.children.isEmpty, sourceLocation: sourceLocation)
    clock.advance(by: .seconds(2))
    #expect(clock.next == nil, sourceLocation: sourceLocation)
    #expect(leaks == [], sourceLocation: sourceLocation)
    let last = client(as: "the last")
    #expect(
      try last.ask("list").first?["items"]?.elements.count == 1, sourceLocation: sourceLocation)
    last.say("quit")
  }
}
