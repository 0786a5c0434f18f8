import Shared
import TestSupport
import Testing

@testable import Server

/// Other settings while the server runs.
@Suite struct SettingsTests {
  private let server = TestServer()
  private var settings = ServerSettings.untimed

  init() { settings.limits = ConnectionLimits() }

  /// The first lines of a new connection.
  private func greeting() throws -> [JSON] {
    let client = LineClient(server.connect(), on: server.network)
    server.network.run()
    return try client.hear()
  }

  @Test func `the limits on connections and matches hold at once, and nobody is disconnected`()
    throws
  {
    var settings = settings
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    settings.limits.connections = 1
    settings.maxMatches = 0
    server.control.apply(settings)
    #expect(kinds(try greeting()) == ["hello", "bye full"])
    #expect(try ann.askTypes("start bot") == ["full"])
    settings.limits.connections = nil
    settings.maxMatches = nil
    server.control.apply(settings)
    ann.say("start bob")
    #expect(try bob.ask("start ann").last?["type"] == "gameDidStart")
  }

  @Test func `an address that is connected has the new limits`() throws {
    var settings = settings
    settings.limits.address = .standard
    server.control.apply(settings)
    let ann = server.client(as: "ann")
    settings.limits.address.connections = 1
    server.control.apply(settings)
    #expect(kinds(try greeting()) == ["hello", "bye full"])
    settings.limits.address.linesPerSecond = 1
    server.control.apply(settings)
    var replies = Set<String>()
    for _ in 0..<40 { replies.formUnion(try ann.askTypes("ping")) }
    #expect(replies == ["pong", "tooFast"])
    settings.limits.address.connections = nil
    server.control.apply(settings)
    #expect(try ann.askTypes("ping") == ["pong"])
  }

  @Test func `hello, new matches and new invitations have the new times`() throws {
    var settings = settings
    let (old, other) = server.match()
    settings.turn = .seconds(7)
    settings.inviteWithin = .seconds(8)
    settings.resumeWithin = .seconds(9)
    server.control.apply(settings)
    let hello = try #require(try greeting().first)
    #expect(hello["limits"]?["turn"] == 7_000)
    #expect(hello["limits"]?["inviteWithin"] == 8_000)
    #expect(hello["limits"]?["resumeWithin"] == 9_000)
    let (zoe, yan) = (server.client(as: "zoe"), server.client(as: "yan"))
    #expect(try zoe.ask("start yan").last?["expires"] == 8_000)
    #expect(try yan.ask("start zoe").last?["left"] == 7_000)
    server.clock.advance(by: .seconds(7))
    server.network.run()
    #expect(try yan.hearTypes().first == "gameDidEnd")
    #expect(old.takeLines().isEmpty && other.takeLines().isEmpty)
  }

  @Test func `another greeting is for those who log in later, and a drain keeps its own`() throws {
    var settings = settings
    let ann = server.client(as: "ann")
    settings.motd = "Tournament at 8"
    server.control.apply(settings)
    #expect(ann.takeLines().isEmpty)
    let bob = server.client()
    #expect(try bob.ask("login bob").last?["text"] == "Tournament at 8")
    server.control.drain(within: nil) {}
    settings.motd = "Tournament at 9"
    settings.drain = nil
    server.control.apply(settings)
    let zoe = server.client()
    #expect(try zoe.ask("login zoe").last?["text"] == "The server is stopping. No new games begin.")
  }
}
