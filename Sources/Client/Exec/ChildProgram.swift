import Foundation
import Shared

/// The way in which a child program ended.
enum ChildEnd: Equatable, Sendable {
  case exited(code: Int32)
  case killed(signal: Int32)
  /// It did not exit in time, so this program terminated it.
  case terminated

  /// What is said about a child of this title; `nil` if it has ended as it should.
  func sentence(about title: String) -> String? {
    switch self {
    case .exited(code: 0): nil
    case .exited(let code): "\(title) exited with code \(code)."
    case .killed(let signal): "\(title) was killed by signal \(signal)."
    case .terminated:
      "\(title) did not exit after its connection had closed, so it was terminated."
    }
  }
}

/// Receives a child program's output and its end, always within a turn of the loop.
protocol ChildProgramDelegate: AnyObject {
  /// The child has written 1 to 65,536 bytes, which are valid only during the call.
  func child(didWrite bytes: Span<UInt8>)
  /// The child has read all of a backlog, or has closed its input.
  func childDidCatchUp()
  /// The child has closed its output. `childDidEnd` follows within the time limits.
  func childDidEndOutput()
  /// The last call.
  func childDidEnd(_ end: ChildEnd)
}

/// A shell command in a child process. The loop reads and writes its input and output through
/// pipes; it shares this program's standard error. The owner keeps it until it has ended.
final class ChildProgram {
  /// How long the child may run after its input or its output has closed.
  static let exitTimeout: Duration = .seconds(2)
  /// How long the child may run after SIGTERM, before it gets SIGKILL.
  static let killTimeout: Duration = .seconds(1)

  private enum State {
    case running
    /// The child must exit before the timer fires.
    case ending(LoopTimer)
    /// The child has exited. So many bytes of its output are still to be read. Others may hold its
    /// output, and write more: what it has started in the background.
    case exited(ChildEnd, unread: Int)
    /// The child has got SIGTERM. When the timer fires, it gets SIGKILL.
    case terminating(LoopTimer)
    case ended
  }

  weak var delegate: (any ChildProgramDelegate)?
  private let loop: EventLoop
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  /// A pipe without data, which closes when Foundation notices that the process has exited.
  private let exit = Pipe()
  /// Waits for the process itself. Foundation notices its exit only when everything that it has
  /// started in the background has exited too.
  private let waiter: HelperThread
  private var writer: OutputWriter?
  private var outputReader: InputReader?
  private var exitReader: InputReader?
  private var state = State.running
  private var isInputOver = false

  /// Starts the command.
  ///
  /// - Throws: Foundation's error if there is no shell, or no process can start; a `SystemError` if
  ///   the loop cannot watch its pipes.
  init(command: String, loop: EventLoop) throws {
    self.loop = loop
    waiter = try HelperThread(loop: loop)
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = input
    process.standardOutput = output
    let exitHandle = exit.fileHandleForWriting
    // Called on a thread of Foundation. The loop notices that the pipe has closed.
    process.terminationHandler = { _ in exitHandle.closeFile() }
    try process.run()
    // An open copy here would keep the output open after the child has exited.
    try output.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
    writer = try OutputWriter(loop: loop, descriptor: input.fileHandleForWriting.fileDescriptor) {
      [weak self] in self?.didDrain()
    }
    outputReader = try InputReader(
      loop: loop, descriptor: output.fileHandleForReading.fileDescriptor)
    exitReader = try InputReader(loop: loop, descriptor: exit.fileHandleForReading.fileDescriptor)
    outputReader?.delegate = self
    exitReader?.delegate = self
    let id = process.processIdentifier
    waiter.perform({ Self.end(of: id) }) { [weak self] end in
      if let end { self?.didExit(end) }
    }
  }

  /// The number of bytes that have not been written to the child's pipe.
  var unread: Int { writer?.unwritten ?? 0 }

  /// While `false`, the child's output is not read, so that the child has to wait.
  var isReading: Bool {
    get { outputReader?.isReading ?? false }
    set { outputReader?.isReading = newValue }
  }

  /// Writes to the child's input. Does nothing after `endInput`.
  func write(_ bytes: Span<UInt8>) {
    if !isInputOver { writer?.write(bytes) }
  }

  /// Closes the child's input after the bytes written so far. The child then has `exitTimeout` to
  /// exit.
  func endInput() {
    guard case .running = state else { return }
    isInputOver = true
    if unread == 0 { closeInput() }
    state = .ending(loop.schedule(after: Self.exitTimeout) { [weak self] in self?.terminate() })
  }

  /// Sends SIGTERM and closes the child's input. A second call sends SIGKILL.
  func terminate() {
    switch state {
    case .running: break
    case .ending(let timer): timer.cancel()
    case .exited(let end, _): return finish(end)
    case .terminating(let timer):
      timer.cancel()
      return kill()
    case .ended: return
    }
    isInputOver = true
    // Send the signal before the input closes: a shell that is waiting for input would exit without
    // running its trap.
    signal(SIGTERM)
    closeInput()
    state = .terminating(loop.schedule(after: Self.killTimeout) { [weak self] in self?.kill() })
  }

  private func kill() {
    signal(SIGKILL)
    finish(.terminated)
  }

  /// Signals the shell and its children, because Foundation starts a process in its own group. It
  /// is not an error if the group has already gone.
  private func signal(_ number: Int32) {
    _ = Foundation.kill(-process.processIdentifier, number)
  }

  private func didDrain() {
    if isInputOver { closeInput() }
    delegate?.childDidCatchUp()
  }

  private func closeInput() {
    guard let writer else { return }
    writer.stop()
    self.writer = nil
    input.fileHandleForWriting.closeFile()
  }

  /// Waits until a process exits; it stays for Foundation to collect. Returns `nil` if Foundation
  /// has collected it.
  private static func end(of process: pid_t) -> ChildEnd? {
    var info = siginfo_t()
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) == -1 {
      if errno != EINTR { return nil }
    }
    #if os(Linux)
      let status = info._sifields._sigchld.si_status
    #else
      let status = info.si_status
    #endif
    return Int(info.si_code) == Int(CLD_EXITED) ? .exited(code: status) : .killed(signal: status)
  }

  /// The end of the child, once Foundation has noticed it.
  private var collectedEnd: ChildEnd {
    let status = process.terminationStatus
    return process.terminationReason == .exit ? .exited(code: status) : .killed(signal: status)
  }

  /// Waits for no more than what the child itself has written.
  private func didExit(_ end: ChildEnd) {
    var end = end
    switch state {
    case .running: break
    case .ending(let timer): timer.cancel()
    case .terminating(let timer):
      timer.cancel()
      end = .terminated
    case .exited, .ended: return
    }
    let unread = Self.unreadBytes(of: output.fileHandleForReading.fileDescriptor)
    state = .exited(end, unread: unread)
    isInputOver = true
    closeInput()
    if unread == 0 { finish(end) }
  }

  private func didRead(_ count: Int) {
    guard case .exited(let end, let unread) = state else { return }
    state = .exited(end, unread: unread - count)
    if unread <= count { finish(end) }
  }

  /// The number of bytes in a pipe.
  private static func unreadBytes(of descriptor: Int32) -> Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  private func finish(_ end: ChildEnd) {
    switch state {
    case .running, .exited: break
    case .ending(let timer), .terminating(let timer): timer.cancel()
    case .ended: return
    }
    state = .ended
    isInputOver = true
    closeInput()
    outputReader?.stop()
    exitReader?.stop()
    delegate?.childDidEnd(end)
  }
}

extension ChildProgram: InputReaderDelegate {
  func inputReader(_ reader: InputReader, didReceive bytes: Span<UInt8>) {
    delegate?.child(didWrite: bytes)
    didRead(bytes.count)
  }

  func inputReaderDidEnd(_ reader: InputReader, with error: SystemError?) {
    guard reader !== exitReader else { return didExit(collectedEnd) }
    delegate?.childDidEndOutput()
    if case .exited(let end, _) = state { finish(end) } else { endInput() }
  }
}
