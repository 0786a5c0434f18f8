import Foundation
import TestSupport
import Testing

/// The seat of a registered player whose connection is lost in a match, at two real nodes of a
/// cluster. The match is at the first one, and the player comes back at the second one.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct SeatTests {
  private let redis: RedisServer
  private let nodes: [RunningServer]
  private let socket = "\(NSTemporaryDirectory())ttt-seat-\(UUID().uuidString.prefix(8))"

  init() throws {
    let redis = try RedisServer(["--appendonly", "yes", "--maxmemory-policy", "noeviction"])
    let socket = socket
    nodes = try ["north", "south"].map { name in
      try RunningServer(
        [
          "--cluster", "redis://127.0.0.1:\(redis.port)", "--cluster-replicas", "0",
          "--node", name, "--advertise", "127.0.0.1",
        ] + (name == "south" ? ["--admin", socket] : []), port: "\(try RedisServer.freePort())")
    }
    self.redis = redis
  }

  /// Begins a match of Ann, who is registered, and loses her connection.
  private func loseSeat() throws {
    let ann = try SocketSession(port: nodes[0].port)
    try ann.type("login Ann\nregister \"correct horse\"\nstart bot")
    while let line = try ann.readLine(), !line.contains("gameDidStart") {}
    ann.cut()
  }

  /// Returns the replies of a node to lines on a connection of their own.
  private func ask(_ index: Int, _ lines: String...) throws -> [String] {
    let session = try SocketSession(port: nodes[index].port)
    _ = try session.readLine()
    return try lines.map { line in
      try session.type(line)
      return try session.readLine() ?? ""
    }
  }

  @Test func `another node asks for the password, and sends its owner to the match`() throws {
    try loseSeat()
    let replies = try ask(
      1, "login ann", "login ann \"wrong horse\"", "login ann \"correct horse\"")
    #expect(replies[0].contains(#""code":"wrongPassword""#))
    #expect(replies[1].contains(#""code":"wrongPassword""#))
    #expect(replies[2].contains(#""code":"moved""#))
    #expect(replies[2].contains(#""to":"127.0.0.1:\#(nodes[0].port)""#))
    let back = try ask(0, "login ann \"correct horse\"")
    #expect(back[0].contains(#""type":"didLogin""#) && back[0].contains(#""place":"playing""#))
  }

  @Test func `the name of a guest is taken at another node`() throws {
    let guest = try SocketSession(port: nodes[0].port)
    try guest.type("login Ann\nstart bot")
    while let line = try guest.readLine(), !line.contains("gameDidStart") {}
    guest.cut()
    let replies = try ask(1, "login ann", "login ann \"correct horse\"")
    #expect(replies.allSatisfy { $0.contains(#""code":"nameTaken""#) })
  }

  @Test func `a password that the operator of another node sets takes the seat back`() throws {
    try loseSeat()
    let admin = try RunningProgram(
      product: "tictactoe-server", ["admin", "password", "ann", "--socket", socket])
    let output = try admin.readToEnd()
    #expect(try admin.exitCode() == 0)
    let password = output.firstMatch(of: /[a-z0-9]{14}/).map { String($0.0) }
    // The first node hears of it within about a second, and the match outlives that.
    for _ in 1...10 {
      Thread.sleep(forTimeInterval: 0.3)
      let reply = try ask(0, "login ann")[0]
      #expect(reply.contains(#""code":"wrongPassword""#), "\(reply)")
    }
    let back = try ask(0, "login ann \(try #require(password, "\(output)"))")
    #expect(back[0].contains(#""place":"playing""#), "\(back)")
  }
}
