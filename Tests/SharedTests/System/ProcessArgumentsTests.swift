import Foundation
import Testing

@testable import Shared

@Suite struct ProcessArgumentsTests {
  @Test(
    arguments: [
      ("program\0", []), ("program\0a\0b c\0", ["a", "b c"]), ("program\0\0", [""]),
      ("program\0--name\0\0--port\01\0", ["--name", "", "--port", "1"]), ("", []), ("\0", []),
      ("\0a\0", ["a"]), ("program\0한국어\0", ["한국어"]), ("program\0a\0cut off", ["a", "cut off"]),
    ] as [(String, [String])])
  func `each argument ends with a zero byte`(bytes: String, arguments: [String]) throws {
    #expect(try ProcessArguments.parse(Data(bytes.utf8)) == arguments)
  }

  @Test(arguments: [[0xFF], [0xB0, 0xA1], [0x61, 0xC2], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func `an argument that is not valid UTF-8 is refused`(bytes: [UInt8]) {
    #expect {
      try ProcessArguments.parse(Data("program\0--name\0".utf8) + bytes + [0])
    } throws: {
      ($0 as? UsageError)?.message.hasSuffix("is not valid UTF-8.") == true
    }
  }

  @Test func `the arguments of this process are those of the system`() throws {
    #expect(try ProcessArguments.read() == Array(CommandLine.arguments.dropFirst()))
    var inMemory: [String] = []
    ProcessArguments.forEachInMemory { inMemory.append(String(cString: $0)) }
    #expect(inMemory == CommandLine.arguments)
  }
}
