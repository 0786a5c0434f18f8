import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// The socket for those who may only look.
@Suite struct ReadingSocketTests {
  private let fixture: AdminFixture
  private let socket: AdminServer

  init() throws {
    fixture = try AdminFixture()
    socket = AdminServer(fixture.server.commands, access: .reading, timers: fixture.clock)
  }

  private func reader() -> LineClient {
    let (near, far) = fixture.server.network.connect()
    socket.accept(far)
    let client = LineClient(near, on: fixture.server.network)
    fixture.server.network.run()
    _ = client.takeLines()
    return client
  }

  @Test(arguments: [
    ("status", "status"), ("players", "players"), ("matches", "matches"), ("bans", "bans"),
    ("tree", "tree"), ("help", "help"),
  ])
  func `what changes nothing is answered`(line: String, type: String) throws {
    #expect(try reader().askTypes(line).first == type)
  }

  @Test(
    arguments: AdminCommand.allCases.filter { !$0.isReading })
  func `everything else is refused, and nothing happens`(command: AdminCommand) throws {
    let line = [
      command.rawValue, command.spec.fields.isEmpty ? "" : "debug",
      command.spec.fields.count > 1 && command == .move ? "north" : "",
    ].joined(separator: " ")
    let reply = try #require(try reader().ask(line).first)
    #expect(reply["code"] == "unavailable", "\(line)")
    #expect(
      reply["message"]?.text?.hasPrefix("This socket is for reading, so \(command.rawValue)")
        == true, "\(line)")
    #expect(!fixture.program.hasStopped)
    #expect(!fixture.server.commands.lobby.isShuttingDown)
  }

  @Test func `each refusal is in the log, with who has asked`() throws {
    _ = try reader().ask("drain")
    #expect(
      fixture.log.lines.contains { $0.contains("admin") && $0.contains("refused=unavailable") })
  }

  @Test func `a full operator's socket does not keep readers out`() throws {
    let admins = (0..<AdminServer.maxConnections).map { _ in fixture.admin() }
    #expect(try reader().askTypes("players") == ["players"])
    #expect(try admins[0].askTypes("players") == ["players"])
  }

  @Test func `metrics are what Prometheus gets`() throws {
    #expect(try reader().tell("metrics") == "unavailable")
    fixture.program.metricsText = "# HELP a b\na 1\n"
    let lines = try reader().ask("metrics")
    #expect(lines.map { $0["text"]?.text } == [nil, "# HELP a b", "a 1"])
    #expect(lines.first?["count"] == 2)
  }

  @Test(arguments: ["cluster", "move m1 north", "rebalance", "all status"])
  func `a server that stands alone refuses what is for a cluster`(line: String) throws {
    #expect(try fixture.admin().tell(line) == "unavailable")
  }
}
