import TestSupport
import Testing

@testable import Server

@Suite struct __NAME__Tests {
  @Test func `__name__ is done`() throws {
    let fixture = try AdminFixture()
    let reply = try fixture.admin().ask("__name__")
    #expect(reply.map { $0["type"] } == ["done"])
  }
}
