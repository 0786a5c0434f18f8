import Shared
import TestSupport
import Testing

/// A person whose session goes on from connection to connection.
final class Player {
  let server: TestServer
  private(set) var client: LineClient
  private(set) var token = ""

  init(_ name: String, at server: TestServer) throws {
    self.server = server
    client = server.client()
    token = try #require(try client.ask("login \"\(name)\"").first?["token"]?.text)
  }

  @discardableResult
  func ask(_ line: String) throws -> [JSON] { try client.ask(line) }

  func askTypes(_ line: String) throws -> [String] { try client.askTypes(line) }

  func hear() throws -> [JSON] { try client.hear() }

  func hearTypes() throws -> [String] { try client.hearTypes() }

  /// Pulls the plug.
  func cut() { client.cut() }

  /// Comes back on a new connection, and answers what was told there.
  @discardableResult
  func resume(after seq: Int? = nil) throws -> [JSON] {
    client = server.client()
    let lines = try client.ask("resume \(token)\(seq.map { " \($0)" } ?? "")")
    token = try #require(lines.first?["token"]?.text)
    return lines
  }
}

extension TestServer {
  /// Two people in the first game of a match, all read; the first one is X.
  func players(_ x: String = "ann", _ o: String = "bob") throws -> (x: Player, o: Player) {
    let players = (x: try Player(x, at: self), o: try Player(o, at: self))
    try players.x.ask("start \"\(o)\"")
    try players.o.ask("start \"\(x)\"")
    _ = try (players.x.hear(), players.o.hear())
    return players
  }

  /// Two people between the first game, which O has given up, and the next, all read.
  func playersBetweenGames() throws -> (x: Player, o: Player) {
    let players = try players()
    try players.o.ask("resign")
    _ = try players.x.hear()
    return players
  }

  /// Nothing is left over: no match, nobody, no timer, and nothing that outlived its RIB.
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
