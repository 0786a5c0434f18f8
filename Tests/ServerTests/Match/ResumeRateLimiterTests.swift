import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ResumeRateLimiterTests {
  private let server = TestServer()

  @Test func `a player who resumes too often has to wait, and can then resume`() throws {
    let (x, o) = try server.players()
    for _ in 0..<100 {
      o.cut()
      #expect(kinds(try o.resume()) == ["didLogin", "matchSnapshot"])
    }
    o.cut()
    #expect(try x.hear().count == 201)
    let resume = #"{"type":"resume","token":"\#(o.token)"}"#
    let refusal = try server.client().ask(resume)
    #expect(kinds(refusal) == ["tooFast"])
    #expect(refusal.first?["retry"] == 200)
    #expect(try x.hear() == [])
    server.clock.advance(by: .milliseconds(200))
    #expect(kinds(try server.client().ask(resume)) == ["didLogin", "matchSnapshot"])
  }
}
