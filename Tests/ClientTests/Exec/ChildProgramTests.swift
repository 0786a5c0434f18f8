import Foundation
import Shared
import Testing

@testable import Client

@Suite struct ChildProgramTests {
  @Test func `a child exchanges lines and ends with its exit code`() throws {
    let parent = try Parent("read -r line; echo \"got $line\"; exit 3")
    parent.child.write(Array("hello\n".utf8).span)
    try parent.turn { $0.end != nil }
    #expect(parent.output == "got hello\n")
    #expect(parent.end == .exited(code: 3))
  }

  @Test func `a child reads everything that was written before its input ends`() throws {
    let parent = try Parent("wc -c")
    parent.child.write([UInt8](repeating: 0x0A, count: 300_000).span)
    #expect(parent.child.unread > 0)
    parent.child.endInput()
    try parent.turn { $0.end != nil }
    #expect(parent.output.contains("300000"))
    #expect(parent.end == .exited(code: 0))
  }

  @Test func `the delegate is notified when a slow child has read its input`() throws {
    let parent = try Parent("read -r line; cat >/dev/null")
    parent.child.write([UInt8](repeating: 0x2E, count: 300_000).span)
    #expect(parent.child.unread > 0)
    parent.child.write([0x0A].span)
    try parent.turn { $0.catchUps == 1 }
    #expect(parent.child.unread == 0)
    parent.child.endInput()
    try parent.turn { $0.end != nil }
  }

  @Test func `a child waits while its output is not read`() throws {
    let parent = try Parent(
      "head -c 1000 /dev/zero; head -c 300000 >/dev/null; head -c 999000 /dev/zero")
    parent.child.isReading = false
    parent.child.write([UInt8](repeating: 0x2E, count: 300_000).span)
    // The child reads its input after it has written its first output.
    try parent.turn { $0.catchUps == 1 }
    #expect(parent.output.isEmpty)
    #expect(parent.end == nil)
    parent.child.isReading = true
    try parent.turn { $0.end != nil }
    #expect(parent.output.utf8.count == 1_000_000)
  }

  @Test func `a child that outlives its input is terminated with its process group`() throws {
    let parent = try Parent("echo $$; sleep 100; true")
    try parent.turn { $0.output.hasSuffix("\n") }
    let group = try #require(Int32(parent.output.dropLast()))
    let start = parent.loop.now
    parent.child.endInput()
    try parent.turn { $0.end != nil }
    #expect(parent.end == .terminated)
    #expect(parent.loop.now - start >= ChildProgram.exitTimeout)
    // The group exists until the system has collected its processes.
    try parent.turn { _ in kill(-group, 0) == -1 }
  }

  @Test(arguments: [0, 3] as [Int32])
  func `a child that has exited is over, even if something in the background holds its output`(
    code: Int32
  ) throws {
    let parent = try Parent(
      "sleep 100 & printf '%s\\n' $!; head -c 60000 /dev/zero; exit \(code)")
    try parent.turn { $0.end != nil }
    #expect(parent.end == .exited(code: code))
    let sleeper = try #require(Int32(parent.output.prefix { $0 != "\n" }))
    #expect(parent.output.utf8.count > 60_000)
    // It is not the child's, and goes on.
    #expect(kill(sleeper, SIGKILL) == 0)
  }

  @Test func `what others write after the child has exited is not waited for`() throws {
    let parent = try Parent("yes & echo $!; exit 0")
    try parent.turn { $0.end != nil }
    #expect(parent.end == .exited(code: 0))
    let writer = try #require(
      parent.output.split(separator: "\n").lazy.compactMap { Int32($0) }.first)
    kill(writer, SIGKILL)
  }

  @Test func `a child that ignores SIGTERM is killed`() throws {
    let parent = try Parent("trap '' TERM; echo ready; while true; do sleep 1; done")
    try parent.turn { $0.output == "ready\n" }
    parent.child.terminate()
    try parent.turn { $0.end != nil }
    #expect(parent.end == .terminated)
  }

  @Test func `a child that a signal ended is reported as killed`() throws {
    let parent = try Parent("kill -KILL $$")
    try parent.turn { $0.end != nil }
    #expect(parent.end == .killed(signal: SIGKILL))
  }

  @Test func `writing to a child that has closed its input raises no signal`() throws {
    signal(SIGPIPE, SIG_IGN)
    // The rest of the output does not fit into the pipe, so the child still runs.
    let parent = try Parent("exec <&-; echo done; head -c 1000000 /dev/zero")
    try parent.turn { $0.output.hasPrefix("done\n") }
    #expect(parent.end == nil)
    parent.child.write(Array("hello\n".utf8).span)
    #expect(parent.child.unread == 0)
    try parent.turn { $0.end != nil }
    #expect(parent.end == .exited(code: 0))
  }
}

/// Runs a child program on an event loop of its own.
private final class Parent: ChildProgramDelegate {
  let loop: EventLoop
  let child: ChildProgram
  private(set) var output = ""
  private(set) var catchUps = 0
  private(set) var end: ChildEnd?

  init(_ command: String) throws {
    loop = try EventLoop()
    child = try ChildProgram(command: command, loop: loop)
    child.delegate = self
  }

  /// Turns the loop until the condition holds, for up to 20 seconds.
  func turn(until condition: (Parent) -> Bool) throws {
    let deadline = loop.now + .seconds(20)
    while !condition(self) {
      guard loop.now < deadline else {
        Issue.record("The condition did not hold within 20 seconds.")
        return
      }
      // Not every condition comes with an event: a process group disappears silently.
      try loop.turn(wait: .milliseconds(20))
    }
  }

  func child(didWrite bytes: Span<UInt8>) {
    output += bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  func childDidCatchUp() { catchUps += 1 }

  func childDidEndOutput() {}

  func childDidEnd(_ end: ChildEnd) { self.end = end }
}
