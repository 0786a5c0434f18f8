import TestSupport
import Testing

@testable import Server

@Suite struct __NAME__CommandTests {
  private let server = TestServer()

  @Test func `__name__ has a reply, by words and by JSON`() throws {
    let ann = server.client(as: "ann")
    #expect(try ann.ask("__name__").map { $0["command"]?.text } == ["__name__"])
    #expect(try ann.ask(#"{"type":"__name__","id":1}"#).map { $0["re"] } == [1])
  }
}
