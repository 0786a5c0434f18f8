#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import TestSupport
import Testing

@testable import Shared

@Suite struct InputReaderTests {
  @Test(arguments: PollerKind.allCases)
  func `a pipe is read as it fills, up to its end`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    let (input, output) = try Self.pipe()
    let recorder = InputRecorder()
    let reader = try InputReader(loop: loop, descriptor: input)
    reader.delegate = recorder
    for text in ["one", "two"] {
      #expect(write(output, text, text.utf8.count) == text.utf8.count)
      try loop.turn { recorder.received.last == text }
    }
    close(output)
    try loop.turn { recorder.isOver }
    #expect(recorder.error == nil)
    #expect(recorder.received == ["one", "two"])
    close(input)
  }

  /// A console takes what is typed out of the terminal before it writes over the prompt.
  @Test(arguments: PollerKind.allCases)
  func `input that somebody else has read after the event does not block the loop`(
    kind: PollerKind
  ) throws {
    let loop = try kind.makeLoop()
    let (input, output) = try Self.pipe()
    let same = dup(input)
    let recorders = [InputRecorder(), InputRecorder()]
    let readers = try [input, same].map { try InputReader(loop: loop, descriptor: $0) }
    for (reader, recorder) in zip(readers, recorders) { reader.delegate = recorder }
    #expect(write(output, "one", 3) == 3)
    // Both are told of it in one turn.
    try loop.turn { recorders.contains { $0.received == ["one"] } }
    try loop.turn(wait: .zero)
    #expect(recorders.flatMap(\.received) == ["one"])
    for descriptor in [input, same, output] { close(descriptor) }
  }

  @Test(arguments: PollerKind.allCases)
  func `a file is read to its end`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    let file = open(#filePath, O_RDONLY)
    let recorder = InputRecorder()
    let reader = try InputReader(loop: loop, descriptor: file)
    reader.delegate = recorder
    try loop.turn { recorder.isOver }
    #expect(recorder.error == nil)
    #expect(recorder.received.joined().contains("a file is read to its end"))
    close(file)
  }

  @Test(arguments: PollerKind.allCases)
  func `the null device ends at once`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    let null = open("/dev/null", O_RDONLY)
    let recorder = InputRecorder()
    let reader = try InputReader(loop: loop, descriptor: null)
    reader.delegate = recorder
    try loop.turn(wait: nil)
    #expect(recorder.isOver)
    #expect(recorder.received.isEmpty)
    close(null)
  }

  @Test(arguments: PollerKind.allCases, [true, false])
  func `a paused reader reads nothing, loses nothing, and does not wake the loop`(
    kind: PollerKind, isFile: Bool
  ) throws {
    let poller = CountingPoller(try kind.makePoller())
    let loop = EventLoop(poller: poller)
    var ends = try Self.pipe()
    if isFile {
      close(ends.input)
      ends.input = open(#filePath, O_RDONLY)
    } else {
      #expect(write(ends.output, "later", 5) == 5)
    }
    close(ends.output)
    let recorder = InputRecorder()
    let reader = try InputReader(loop: loop, descriptor: ends.input)
    reader.delegate = recorder
    reader.isReading = false
    try loop.turn(wait: .zero)
    #expect(poller.eventCount == 0)
    #expect(recorder.received.isEmpty)
    reader.isReading = true
    try loop.turn { recorder.isOver }
    #expect(recorder.received.joined().contains("later"))
    close(ends.input)
  }

  @Test(arguments: PollerKind.allCases)
  func `a descriptor that cannot be read is an error`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    let directory = open("/", O_RDONLY)
    let recorder = InputRecorder()
    let reader = try InputReader(loop: loop, descriptor: directory)
    reader.delegate = recorder
    try loop.turn { recorder.isOver }
    #expect(recorder.error == SystemError(call: "read", code: EISDIR))
    close(directory)
  }

  @Test(arguments: PollerKind.allCases)
  func `a stopped reader does not call its delegate`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    let null = open("/dev/null", O_RDONLY)
    let recorder = InputRecorder()
    let reader = try InputReader(loop: loop, descriptor: null)
    reader.delegate = recorder
    reader.stop()
    reader.isReading = false
    reader.isReading = true
    try loop.turnAFewTimes()
    #expect(!recorder.isOver)
    close(null)
  }

  private static func pipe() throws -> (input: Int32, output: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(systemPipe(&ends) == 0)
    return (ends[0], ends[1])
  }
}

private func systemPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }

private final class InputRecorder: InputReaderDelegate {
  var received: [String] = []
  var isOver = false
  var error: SystemError?

  func inputReader(_ reader: InputReader, didReceive bytes: Span<UInt8>) {
    received.append(bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }

  func inputReaderDidEnd(_ reader: InputReader, with error: SystemError?) {
    isOver = true
    self.error = error
  }
}
