import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct LineLengthTests {
  private let server = TestServer()

  @Test func `a line of 4096 bytes is accepted, one of 4097 is not`() throws {
    let client = server.client()
    let longest = "ping" + String(repeating: " ", count: 4_092)
    #expect(try client.askTypes(longest) == ["pong"])
    #expect(try client.askTypes("") == [])
    #expect(try client.askTypes(longest + "\r") == ["bye lineTooLong"])
    #expect(client.isClosedByServer)
  }

  @Test func `the limit applies before a line has ended`() throws {
    let connection = server.connect()
    let client = LineClient(connection, on: server.network)
    connection.send(Array(repeating: UInt8(ascii: " "), count: 4_096).span)
    server.network.run()
    #expect(try client.hearTypes() == ["hello"])
    connection.send([UInt8(ascii: " ")].span)
    server.network.run()
    #expect(try client.hearTypes() == ["bye lineTooLong"])
  }

  @Test func `lines before a long line get replies, lines after it do not`() throws {
    let client = server.client()
    client.sendOnly("ping")
    client.sendOnly(String(repeating: "x", count: 5_000))
    client.sendOnly("ping")
    server.network.run()
    #expect(try client.hearTypes() == ["pong", "bye lineTooLong"])
  }

  @Test func `a player who sends a long line in a match loses only the connection`() throws {
    let (x, o) = server.match()
    #expect(try x.askTypes(String(repeating: "x", count: 5_000)) == ["bye lineTooLong"])
    #expect(try o.hearTypes() == ["presenceDidChange"])
    #expect(try server.client().askTypes("login ann") == ["nameTaken"])
  }

  @Test(arguments: ["", " ", "\t\r", "   \r"])
  func `a blank line is ignored`(line: String) throws {
    let client = server.client()
    #expect(client.say(line) == [])
    #expect(client.say(" \tping\r") == [#"{"type":"pong"}"#])
  }
}
