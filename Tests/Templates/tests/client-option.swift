import Shared
import Testing

@testable import Client

@Suite struct __NAME__OptionTests {
  @Test(arguments: [([], false), (["--__flag__"], true), (["--__flag__=no"], false)])
  func `--__flag__ takes yes or no`(arguments: [String], isOn: Bool) throws {
    guard case .play(let settings) = try ClientOptions.parse(arguments) else {
      Issue.record("Nothing is played.")
      return
    }
    #expect(ClientOptions(settings).__name__ == isOn)
  }
}
