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
    let parent = try Parent("sleep 0.2; wc -c")
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
    let parent = try Parent("head -c 1000000 /dev/zero")
    parent.child.isReading = false
    for _ in 0..<5 { try parent.loop.turn(wait: .milliseconds(20)) }
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
    // Until the system has collected it.
    try parent.turn { _ in kill(-group, 0) == -1 }
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
    let parent = try Parent("exec <&-; sleep 0.2; echo done")
    try parent.turn { $0.end != nil || $0.output == "done\n" }
    parent.child.write(Array("hello\n".utf8).span)
    #expect(parent.child.unread == 0)
    try parent.turn { $0.end != nil }
    #expect(parent.end == .exited(code: 0))
  }
}

/// Whoever runs a child program, with its own loop.
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

  func turn(until condition: (Parent) -> Bool) throws {
    for _ in 0..<1_000 {
      if condition(self) { return }
      try loop.turn(wait: .milliseconds(20))
    }
    Issue.record("It never happened.")
  }

  func child(didWrite bytes: Span<UInt8>) {
    output += bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  func childDidCatchUp() { catchUps += 1 }

  func childDidEndOutput() {}

  func childDidEnd(_ end: ChildEnd) { self.end = end }
}
