import Foundation
import Testing

@testable import Shared

@Suite struct StandardOutputTests {
  @Test func `the reason for a failure is the system's, not Foundation's`() throws {
    let pipe = Pipe()
    let handle = pipe.fileHandleForReading
    let error = #expect(throws: (any Error).self) { try handle.write(contentsOf: Data([0x0A])) }
    #expect(StandardOutput.reason(of: try #require(error)) == "Bad file descriptor")
  }
}
