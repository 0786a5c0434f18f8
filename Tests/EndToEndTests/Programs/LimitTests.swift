import Foundation
import Testing

/// The limits of the real server.
@Suite(.serialized) struct LimitTests {
  #if os(Linux)
    @Test func `the descriptor table has its full size at the start, up to the limit`() throws {
      let server = try RunningServer(descriptors: 900)
      #expect(try server.program.descriptorRoom() >= 900)
    }
  #endif

  @Test
  func
    `a server without free descriptors keeps serving, rejects new connections and logs that once`()
    throws
  {
    let server = try RunningServer(descriptors: 40)
    let ann = try SocketSession(port: server.port)
    try ann.type("login ann")
    _ = try ann.readLine()
    #expect(try ann.readLine()?.contains("didLogin") == true)
    var others: [SocketSession] = []
    for _ in 0..<60 {
      let other = try SocketSession(port: server.port)
      #expect(try other.readLine()?.contains(#""type":"hello""#) == true)
      others.append(other)
    }
    for other in others.suffix(20) {
      let line = try #require(try other.readLine())
      #expect(line.contains(#""type":"bye","code":"full""#))
      #expect(line.contains(#""retry":10000"#))
      #expect(try other.readLine() == nil)
    }
    try ann.type("start bot")
    #expect(try ann.readLine()?.contains("gameDidStart") == true)
    others = []
    // Once the server has seen the other connections end, descriptors are free again.
    try ann.type("ping")
    while let line = try ann.readLine(), !line.contains("pong") {}
    let late = try SocketSession(port: server.port)
    try late.type("login late")
    #expect(try late.readLine()?.contains("hello") == true)
    #expect(try late.readLine()?.contains("didLogin") == true)
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
    let errorOutput = try server.program.errorOutput()
    #expect(errorOutput.split(separator: "\n").count == 1)
    #expect(errorOutput.contains("Too many open files"))
  }

  @Test func `limits of the command line hold, and hello announces them`() throws {
    let server = try RunningServer([
      "--login-within", "200ms", "--idle", "60m", "--per-second", "1",
      "--burst", "3", "--max-connections", "0", "--max-per-address", "2",
    ])
    let client = try SocketSession(port: server.port)
    let limits =
      #""limits":{"line":4096,"loginWithin":200,"resumeWithin":60000,"inviteWithin":120000,"turn":300000,"idle":3600000,"perSecond":1,"burst":3}"#
    #expect(try client.readLine()?.contains(limits) == true)
    let second = try SocketSession(port: server.port)
    for _ in 0..<6 { try second.type("ping") }
    _ = try second.readLine()
    for expected in ["pong", "pong", "pong", "tooFast", "tooFast", "flood"] {
      #expect(try second.readLine()?.contains(expected) == true)
    }
    #expect(try client.readLine()?.contains("loginTimeout") == true)
    #expect(try client.readLine() == nil)
  }

  @Test func `the PROXY header gives the client's address`() throws {
    let server = try RunningServer(["--trust-proxy", "127.0.0.0/8", "--max-per-address", "1"])
    var sessions: [SocketSession] = []
    for (address, greeting) in [("1.2.3.4", "hello"), ("1.2.3.5", "hello"), ("1.2.3.4", "full")] {
      let client = try SocketSession(port: server.port)
      try client.type("PROXY TCP4 \(address) 9.9.9.9 50001 7777\r")
      sessions.append(client)
      if greeting == "full" { _ = try client.readLine() }
      #expect(try client.readLine()?.contains(greeting) == true)
    }
  }
}
