import Shared
import Testing

@testable import Server

@Suite struct __NAME__OptionTests {
  @Test func `--__flag__ takes a time`() throws {
    guard case .serve(let options) = try ServerOptions.parse(["--__flag__", "90s"], file: [])
    else {
      Issue.record("Nothing is served.")
      return
    }
    #expect(options.__name__ == .seconds(90))
  }
}
