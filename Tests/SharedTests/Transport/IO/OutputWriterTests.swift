#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import Testing

@testable import Shared

@Suite struct OutputWriterTests {
  @Test(arguments: PollerKind.allCases)
  func `bytes that the pipe takes are written at once`(kind: PollerKind) throws {
    let pipe = try FullPipe(kind)
    pipe.writer.write(Array("one".utf8).span)
    #expect(pipe.writer.unwritten == 0)
    #expect(pipe.read() == Array("one".utf8))
  }

  @Test(arguments: PollerKind.allCases)
  func `other bytes are kept and written as the pipe is read, then it has drained`(kind: PollerKind)
    throws
  {
    let pipe = try FullPipe(kind)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    pipe.writer.write(bytes.span)
    #expect(pipe.writer.unwritten > 0)
    try pipe.loop.turnAFewTimes()
    #expect(pipe.drains == 0)
    var received: [UInt8] = []
    try pipe.loop.turn {
      received += pipe.read()
      return received.count == bytes.count
    }
    #expect(received == bytes)
    try pipe.loop.turnAFewTimes()
    #expect(pipe.drains == 1)
    #expect(pipe.writer.unwritten == 0)
  }

  @Test(arguments: PollerKind.allCases)
  func `after the reader has gone, everything is dropped`(kind: PollerKind) throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = try FullPipe(kind)
    pipe.writer.write([UInt8](repeating: 7, count: 1_000_000).span)
    pipe.closeInput()
    try pipe.loop.turn { pipe.drains == 1 }
    pipe.writer.write([1, 2, 3].span)
    #expect(pipe.writer.unwritten == 0)
  }

  @Test(arguments: PollerKind.allCases)
  func `a stopped writer keeps nothing and calls nothing`(kind: PollerKind) throws {
    let pipe = try FullPipe(kind)
    pipe.writer.write([UInt8](repeating: 7, count: 1_000_000).span)
    pipe.writer.stop()
    #expect(pipe.writer.unwritten == 0)
    _ = pipe.read()
    try pipe.loop.turnAFewTimes()
    #expect(pipe.drains == 0)
  }
}

/// A pipe with the writer at one end and the test at the other.
private final class FullPipe {
  let loop: EventLoop
  let writer: OutputWriter
  private let ends: [Int32]
  private let counter: Counter
  private var isInputOpen = true

  init(_ kind: PollerKind) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let counter = Counter()
    let loop = try kind.makeLoop()
    writer = try OutputWriter(loop: loop, descriptor: ends[1]) { counter.count += 1 }
    self.ends = ends
    self.counter = counter
    self.loop = loop
  }

  deinit {
    writer.stop()
    close(ends[1])
    if isInputOpen { close(ends[0]) }
  }

  var drains: Int { counter.count }

  func closeInput() {
    isInputOpen = false
    close(ends[0])
  }

  /// Returns the bytes that are in the pipe.
  func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 100_000)
    let count = readSome(ends[0], &buffer)
    return Array(buffer.prefix(count))
  }

  private final class Counter {
    var count = 0
  }
}

private func readSome(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
  var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  guard poll(&ready, 1, 0) == 1 else { return 0 }
  return max(0, read(descriptor, &buffer, buffer.count))
}
