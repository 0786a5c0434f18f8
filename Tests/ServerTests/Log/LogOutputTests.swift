import Foundation
import Testing

@testable import Server

@Suite struct LogOutputTests {
  private let pipe = Pipe()
  private let output: LogOutput

  init() {
    output = LogOutput(pipe.fileHandleForWriting.fileDescriptor) { Array("\($0) dropped\n".utf8) }
  }

  private func read() -> String {
    String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
  }

  private func write(_ text: String) {
    output.write(Array("\(text)\n".utf8))
  }

  @Test func `a line is written at once`() {
    write("one")
    write("two")
    #expect(read() == "one\ntwo\n")
  }

  @Test func `if nobody reads, whole lines are dropped and counted`() throws {
    let line = String(repeating: "x", count: 9_999)
    for _ in 0..<100 { write(line) }
    var first = ""
    // At least four whole lines are in the pipe. This makes room for two more.
    while first.utf8.count < 40_000 { first += read() }
    write("after")
    try pipe.fileHandleForWriting.close()
    let rest = pipe.fileHandleForReading.readDataToEndOfFile()
    let all = first + String(decoding: rest, as: UTF8.self)
    var lines = all.split(separator: "\n")
    #expect(lines.popLast() == "after")
    #expect(lines.popLast()?.hasSuffix(" dropped") == true)
    #expect(all.contains("\n\(100 - lines.count) dropped\nafter\n"))
    #expect(lines.count >= 1 && lines.allSatisfy { $0 == line })
  }

  @Test func `after the reader has gone, nothing is kept`() throws {
    signal(SIGPIPE, SIG_IGN)
    try pipe.fileHandleForReading.close()
    write("one")
    write("two")
    let other = Pipe()
    dup2(other.fileHandleForWriting.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor)
    write("three")
    #expect(other.fileHandleForReading.availableData == Data("three\n".utf8))
  }
}
