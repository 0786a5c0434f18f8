import Shared
import Testing

@Suite struct ArgumentReaderTests {
  private func all(_ arguments: [String]) throws -> [ArgumentReader.Argument] {
    var reader = ArgumentReader(arguments)
    var found: [ArgumentReader.Argument] = []
    while let argument = try reader.next() { found.append(argument) }
    return found
  }

  @Test func `options and operands are returned in order`() throws {
    #expect(
      try all(["a", "--b", "-c", "-", ""])
        == [.operand("a"), .option("--b"), .option("-c"), .operand("-"), .operand("")])
  }

  @Test func `after two dashes everything is an operand`() throws {
    #expect(try all(["--", "--b", "--"]) == [.operand("--b"), .operand("--")])
  }

  @Test(arguments: [["--port", "80"], ["--port=80"]])
  func `a value follows its option or is attached to it`(arguments: [String]) throws {
    var reader = ArgumentReader(arguments)
    #expect(try reader.next() == .option("--port"))
    #expect(try reader.port(of: "--port", in: 1...100) == 80)
    #expect(try reader.next() == nil)
  }

  @Test func `an attached value may be empty, or contain an equals sign`() throws {
    var reader = ArgumentReader(["--name=", "--name=a=b"])
    _ = try reader.next()
    #expect(try reader.value(of: "--name").isEmpty)
    _ = try reader.next()
    #expect(try reader.value(of: "--name") == "a=b")
  }

  @Test func `a value that is not read, or missing, is a usage error`() throws {
    var reader = ArgumentReader(["--local=yes", "--name"])
    _ = try reader.next()
    #expect(throws: UsageError("--local takes no value.")) { try reader.next() }
    var last = ArgumentReader(["--name"])
    _ = try last.next()
    #expect(throws: UsageError("--name needs a value.")) {
      try last.value(of: "--name")
    }
  }

  @Test(arguments: ["", "x", "-1", "101", "1.5", "99999999999999999999"])
  func `an invalid port is a usage error`(value: String) throws {
    var reader = ArgumentReader(["--port=\(value)"])
    _ = try reader.next()
    #expect(throws: UsageError.self) { try reader.port(of: "--port", in: 1...100) }
  }

  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("1m", .seconds(60)),
    ("30", .seconds(30)), ("007s", .seconds(7)), ("999999999m", .seconds(59_999_999_940)),
  ])
  func `a time has a unit, or is in seconds`(value: String, duration: Duration) throws {
    var reader = ArgumentReader(["--idle", value])
    _ = try reader.next()
    #expect(try reader.duration(of: "--idle") == duration)
    #expect(try reader.next() == nil)
  }

  @Test(arguments: ["0", "0ms", "0s", "0m", "000"])
  func `a time of 0 means never`(value: String) throws {
    var reader = ArgumentReader(["--idle=\(value)"])
    _ = try reader.next()
    #expect(try reader.duration(of: "--idle") == nil)
  }

  @Test(arguments: [
    "", "ms", "s", "-1", "+1", "1.5s", "1 s", "1w", "1S", "1sm", "never", "٣s", "½", "1000000000",
  ])
  func `an invalid time is a usage error`(value: String) throws {
    var reader = ArgumentReader(["--idle=\(value)"])
    _ = try reader.next()
    let sentence = "--idle takes a time such as 500ms, 30s or 2m, or 0 for never, not “\(value)”."
    #expect(throws: UsageError(sentence)) { try reader.duration(of: "--idle") }
  }

  @Test func `a count of 0 means no limit`() throws {
    var reader = ArgumentReader(["--most", "0", "--most=000", "--most=999999999", "--most=1"])
    var found: [Int?] = []
    while try reader.next() != nil { found.append(try reader.count(of: "--most")) }
    #expect(found == [nil, nil, 999_999_999, 1])
  }

  @Test(arguments: ["", "x", "-1", "+1", "1.5", "1000000000", "٣", " 1"])
  func `an invalid count is a usage error`(value: String) throws {
    var reader = ArgumentReader(["--most=\(value)"])
    _ = try reader.next()
    let sentence = "--most takes a number, or 0 for no limit, not “\(value)”."
    #expect(throws: UsageError(sentence)) { try reader.count(of: "--most") }
  }
}
