import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct AdminConnectionTests {
  private let fixture: AdminFixture

  init() throws { fixture = try AdminFixture() }

  @Test func `the greeting says which server it is, and how to get help`() throws {
    let client = LineClient(fixture.connect(), on: fixture.server.network)
    fixture.server.network.run()
    let hello = try client.hear()
    #expect(kinds(hello) == ["hello"])
    #expect(hello[0]["server"]?.text == "tictactoe-server \(Version.current)")
    #expect(hello[0]["help"] == "Type: help")
  }

  @Test func `a command in words and in JSON is the same`() throws {
    let admin = fixture.admin()
    #expect(try admin.ask("bans") == [["type": "bans", "count": 0]])
    #expect(try admin.ask(#"{"type":"bans"}"#) == [["type": "bans", "count": 0]])
    #expect(try admin.ask("BANS\r") == [["type": "bans", "count": 0]])
    #expect(
      try admin.ask(#"{"type":"bans","id":7,"more":[{}]}"#)
        == [["type": "bans", "re": 7, "count": 0]])
    #expect(try admin.ask(#"{"type":"resume","id":"a"}"#).first?["re"] == "a")
    #expect(try admin.tell(#"mute "the pest" 1h"#) == "the pest cannot chat for 1 hour.")
    #expect(
      try admin.tell(#"{"type":"mute","name":"the pest","for":"1h"}"#)
        == "the pest cannot chat for 1 hour.")
  }

  @Test(arguments: [
    ("", [String]()), (" \t", []), ("nonsense", ["unknownType"]), ("{", ["badJSON"]),
    ("{}", ["missingField"]), (#"{"type":1}"#, ["badField"]), ("kick", ["missingField"]),
    ("log loud", ["badField"]), ("status now", ["badField"]), ("GET / HTTP/1.1", ["unknownType"]),
    (#"{"type":"kick","name":7}"#, ["badField"]), ("login ann", ["unknownType"]),
    ("announce \u{1b}[2J", ["badField"]), ("\"", ["unknownType"]),
  ])
  func `a line that is no command is refused, and the connection stays`(
    line: String, codes: [String]
  ) throws {
    let admin = fixture.admin()
    #expect(try admin.askTypes(line) == codes)
    #expect(try admin.askTypes("bans") == ["bans"])
  }

  @Test func `a line that is too long ends the connection`() throws {
    let admin = fixture.admin()
    admin.send(Array(repeating: UInt8(ascii: "x"), count: ProtocolLimits.maxCommandLine + 1))
    fixture.server.network.run()
    #expect(try admin.hearTypes() == ["bye lineTooLong"])
    #expect(admin.isClosedByServer)
  }

  @Test func `random bytes never end the server`() throws {
    var random = SeededGenerator(seed: 3)
    let words = ["kick", "ban", "motd", "{", "}", "\"", ":", " ", "\n", "type", "::1/64", "1h"]
    for _ in 0..<300 {
      let admin = fixture.admin()
      for _ in 0..<20 {
        let word = words.randomElement(using: &random) ?? ""
        let byte = UInt8.random(in: 0...255, using: &random)
        admin.send(Array(word.utf8) + [byte])
      }
      fixture.server.network.run()
      admin.end()
    }
    #expect(try fixture.admin().askTypes("bans").first == "bans")
  }

  @Test func `one connection too many gets bye, and has room once another has gone`() throws {
    let clients = (0..<AdminServer.maxConnections).map { _ in fixture.admin() }
    let late = LineClient(fixture.connect(), on: fixture.server.network)
    fixture.server.network.run()
    #expect(try late.hearTypes() == ["hello", "bye full"])
    #expect(try clients[3].askTypes("quit") == ["bye quit"])
    #expect(clients[3].isClosedByServer)
    #expect(try fixture.admin().askTypes("bans") == ["bans"])
  }

  @Test func `lines that came before the end of the input are answered`() throws {
    let admin = fixture.admin()
    for line in ["bans", "nonsense", "announce hello"] { admin.sendOnly(line) }
    admin.end()
    #expect(try admin.hearTypes() == ["bans", "unknownType", "done"])
    #expect(admin.isClosedByServer)
  }

  @Test func `one command is carried out at a time, so that games go on between two`() throws {
    let mock = ConnectionMock()
    fixture.socket.accept(mock)
    _ = mock.takeLines()
    mock.receive("bans\nbans\nbans\n")
    #expect(mock.takeLines().count == 1)
    #expect(!mock.isReading)
    fixture.clock.advance(by: .zero)
    #expect(mock.takeLines().count == 2)
    #expect(mock.isReading)
  }

  @Test func `an operator who does not read is disconnected, and no command is carried out`()
    throws
  {
    let mock = ConnectionMock()
    fixture.socket.accept(mock)
    _ = mock.takeLines()
    mock.unsent = AdminConnection.maxUnsent + 1
    mock.receive("bans\nbans\n")
    #expect(mock.takeLines().count == 1)
    fixture.clock.advance(by: AdminConnection.readTimeout - .milliseconds(1))
    #expect(mock.takeLines().isEmpty)
    #expect(mock.resetCallCount == 0)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(mock.resetCallCount == 1)
  }

  @Test func `an operator who reads late gets all replies`() throws {
    let mock = ConnectionMock()
    fixture.socket.accept(mock)
    _ = mock.takeLines()
    mock.unsent = AdminConnection.maxUnsent + 1
    mock.receive("bans\nnonsense\n")
    mock.unsent = 0
    mock.delegate?.connectionDidDrain(mock)
    #expect(mock.takeLines().count == 2)
    #expect(mock.resetCallCount == 0)
  }

  @Test func `an answer that comes after the end of the connection is dropped`() throws {
    let folder = TemporaryFolder()
    let fixture = try AdminFixture(folder: folder.path)
    let admin = fixture.admin()
    admin.sendOnly("ban 9.9.9.9")
    fixture.server.network.run()
    admin.cut()
    fixture.settle()
    #expect(try OperatorFile.read(in: folder.path).bans.count == 1)
  }

  @Test func `the end of the server says goodbye`() throws {
    let admin = fixture.admin()
    fixture.socket.close()
    fixture.server.network.run()
    #expect(try admin.hearTypes() == ["bye shutdown"])
  }
}
