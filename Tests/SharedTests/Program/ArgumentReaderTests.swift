import Shared
import Testing

@Suite struct ArgumentReaderTests {
  private func all(_ arguments: [String]) throws -> [ArgumentReader.Argument] {
    var reader = ArgumentReader(arguments)
    var found: [ArgumentReader.Argument] = []
    while let argument = try reader.next() { found.append(argument) }
    return found
  }

  @Test func `options and operands come in their order`() throws {
    #expect(
      try all(["a", "--b", "-c", "-", ""])
        == [.operand("a"), .option("--b"), .option("-c"), .operand("-"), .operand("")])
  }

  @Test func `after two dashes everything is an operand`() throws {
    #expect(try all(["--", "--b", "--"]) == [.operand("--b"), .operand("--")])
  }

  @Test(arguments: [["--port", "80"], ["--port=80"]])
  func `a value stands behind its option or is attached to it`(arguments: [String]) throws {
    var reader = ArgumentReader(arguments)
    #expect(try reader.next() == .option("--port"))
    #expect(try reader.port(of: "--port", in: 1...100) == 80)
    #expect(try reader.next() == nil)
  }

  @Test func `an attached value may be empty or hold an equals sign`() throws {
    var reader = ArgumentReader(["--name=", "--name=a=b"])
    _ = try reader.next()
    #expect(try reader.value(of: "--name").isEmpty)
    _ = try reader.next()
    #expect(try reader.value(of: "--name") == "a=b")
  }

  @Test func `a value that nobody takes, or that is missing, is wrong usage`() throws {
    var reader = ArgumentReader(["--local=yes", "--name"])
    _ = try reader.next()
    #expect(throws: UsageError("--local takes no value.")) { try reader.next() }
    var last = ArgumentReader(["--name"])
    _ = try last.next()
    #expect(throws: UsageError("--name needs a value behind it.")) {
      try last.value(of: "--name")
    }
  }

  @Test(arguments: ["", "x", "-1", "101", "1.5", "99999999999999999999"])
  func `a port that is none is wrong usage`(value: String) throws {
    var reader = ArgumentReader(["--port=\(value)"])
    _ = try reader.next()
    #expect(throws: UsageError.self) { try reader.port(of: "--port", in: 1...100) }
  }
}
