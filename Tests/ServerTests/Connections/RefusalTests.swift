import Shared
import TestSupport
import Testing

@testable import Server

/// The protocol's table of the commands that each place allows.
@Suite struct RefusalTests {
  enum Place: CaseIterable {
    case notLoggedIn, lobby, waiting, running, between, asked, watching
  }

  /// A command, and its refusal in each place that does not allow it.
  struct Row: Sendable {
    let line: String
    let refusals: [Place: String]
  }

  static let table = [
    Row(
      line: "login zoe",
      refusals: [
        .lobby: "alreadyLoggedIn", .waiting: "alreadyLoggedIn", .running: "alreadyLoggedIn",
        .between: "alreadyLoggedIn", .asked: "alreadyLoggedIn", .watching: "alreadyLoggedIn",
      ]),
    Row(
      line: "start",
      refusals: [
        .notLoggedIn: "notLoggedIn", .waiting: "alreadyWaiting", .running: "inMatch",
        .asked: "alreadyWaiting", .watching: "spectator",
      ]),
    Row(
      line: "start zed chess",
      refusals: [
        .notLoggedIn: "notLoggedIn", .lobby: "unknownGame", .waiting: "alreadyWaiting",
        .running: "inMatch", .between: "inMatch", .asked: "alreadyWaiting", .watching: "spectator",
      ]),
    Row(
      line: "cancel",
      refusals: [
        .notLoggedIn: "notLoggedIn", .lobby: "notWaiting", .running: "notWaiting",
        .between: "notWaiting", .watching: "notWaiting",
      ]),
    Row(
      line: "place 0 0",
      refusals: [
        .notLoggedIn: "notLoggedIn", .lobby: "notInMatch", .waiting: "notInMatch",
        .between: "noGame", .asked: "noGame", .watching: "spectator",
      ]),
    Row(
      line: "resign",
      refusals: [
        .notLoggedIn: "notLoggedIn", .lobby: "notInMatch", .waiting: "notInMatch",
        .between: "noGame", .asked: "noGame", .watching: "spectator",
      ]),
    Row(
      line: "leave",
      refusals: [
        .notLoggedIn: "notLoggedIn", .lobby: "notInMatch", .waiting: "notInMatch",
      ]),
    Row(line: "list", refusals: [.notLoggedIn: "notLoggedIn"]),
    Row(line: "list matches", refusals: [.notLoggedIn: "notLoggedIn"]),
    Row(line: "list games", refusals: [.notLoggedIn: "notLoggedIn"]),
    Row(line: "ping", refusals: [:]),
    Row(line: "help start", refusals: [:]),
    Row(line: "quit", refusals: [:]),
    // Errors of a line are reported before those of the place.
    Row(line: "place 0", refusals: everywhere("missingField")),
    Row(line: "place 0 x", refusals: everywhere("badField")),
    Row(line: "{}", refusals: everywhere("missingField")),
    Row(line: #"{"type":"start","#, refusals: everywhere("badJSON")),
    Row(
      line: "resume AAAAAAAAAAAAAAAAAAAAAA",
      refusals: everywhere("alreadyLoggedIn").merging([.notLoggedIn: "unknownToken"]) { $1 }),
    Row(
      line: "watch m",
      refusals: [
        .notLoggedIn: "notLoggedIn", .lobby: "unknownMatch", .waiting: "alreadyWaiting",
        .running: "inMatch", .between: "inMatch", .asked: "inMatch", .watching: "spectator",
      ]),
    Row(
      line: "sync",
      refusals: [
        .notLoggedIn: "notLoggedIn", .lobby: "notInMatch", .waiting: "notInMatch",
      ]),
    Row(
      line: "say",
      refusals: everywhere("missingField")),
    Row(line: #"{"type":"say","text":"\u0007"}"#, refusals: everywhere("badField")),
  ]

  private let server = TestServer()

  @Test(arguments: table, Place.allCases)
  func `a command is refused in a place that does not allow it`(row: Row, place: Place) throws {
    let (client, other) = clients(in: place)
    let lines = try client.ask(row.line)
    guard let refusal = row.refusals[place] else {
      #expect(!lines.isEmpty)
      #expect(lines.first?["type"] != "error")
      return
    }
    #expect(kinds(lines) == [refusal])
    #expect(lines.first?["message"]?.text?.isEmpty == false)
    #expect(!client.isClosedByServer)
    // Nothing has changed, and the opponent was not informed.
    #expect(try other.hear() == [])
    guard place != .notLoggedIn else { return }
    let (control, _) = Self.clients(in: place, of: controlServer)
    #expect(try client.ask("list") == control.ask("list"))
    #expect(
      try client.ask("list matches").first?["items"]?.elements.map { $0.without("match") }
        == control.ask("list matches").first?["items"]?.elements.map { $0.without("match") })
  }

  private let controlServer = TestServer()

  private func clients(in place: Place) -> (LineClient, LineClient) {
    Self.clients(in: place, of: server)
  }

  private static func clients(in place: Place, of server: TestServer) -> (LineClient, LineClient) {
    switch place {
    case .notLoggedIn:
      return (server.client(), server.client(as: "bob"))
    case .lobby:
      return (server.client(as: "ann"), server.client(as: "bob"))
    case .waiting:
      let ann = server.client(as: "ann")
      ann.say("start")
      return (ann, server.client(as: "bob"))
    case .running:
      return server.match()
    case .between:
      return server.wonMatch()
    case .asked:
      let (ann, bob) = server.wonMatch()
      ann.say("start")
      _ = bob.takeLines()
      return (ann, bob)
    case .watching:
      let (ann, bob) = server.match("cid", "dan")
      let eve = server.client(as: "eve")
      eve.say("watch \(server.onlyMatch)")
      _ = (ann.takeLines(), bob.takeLines())
      return (eve, ann)
    }
  }

  private static func everywhere(_ code: String) -> [Place: String] {
    Dictionary(uniqueKeysWithValues: Place.allCases.map { ($0, code) })
  }
}
