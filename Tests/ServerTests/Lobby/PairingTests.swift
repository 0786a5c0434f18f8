import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct PairingTests {
  private let server = TestServer()

  @Test func `who waited is X`() {
    let ann = server.client(as: "ann")
    let bob = server.client(as: "bob")
    #expect(ann.say("start") == [#"{"type":"didQueue","game":"tictactoe"}"#])
    let lines = bob.say("start")
    #expect(lines.count == 1)
    #expect(lines.first?.contains(#""you":"O""#) == true)
    #expect(ann.takeLines().first?.contains(#""you":"X""#) == true)
  }
}
