import Foundation
import Shared

/// How a child program ended.
enum ChildEnd: Equatable {
  case exited(code: Int32)
  case killed(signal: Int32)
  /// It did not end in time, so that it was ended from here.
  case terminated
}

/// Whom a child program tells what it does, always from within a turn of the loop.
protocol ChildProgramDelegate: AnyObject {
  /// 1 to 65,536 bytes of its output, which hold only during the call.
  func child(didWrite bytes: Span<UInt8>)
  /// It has read all that was written to it, after a time in which it did not; or it reads no more.
  func childDidCatchUp()
  /// It writes no more; `childDidEnd` follows within the time that it is given.
  func childDidEndOutput()
  /// The last call.
  func childDidEnd(_ end: ChildEnd)
}

/// A command of the shell in a process of its own, its input and output pipes of the loop, its
/// standard error ours. Its owner holds it until it has ended.
final class ChildProgram {
  /// How long it may take to end, once its input or its output has.
  static let patience: Duration = .seconds(2)
  /// How long after SIGTERM, before it is killed.
  static let lastPatience: Duration = .seconds(1)

  private enum State {
    case running
    /// It is to end by itself before the timer runs.
    case ending(LoopTimer)
    /// It was told to end; with the timer it is killed.
    case terminating(LoopTimer)
    case ended
  }

  weak var delegate: (any ChildProgramDelegate)?
  private let loop: EventLoop
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  /// Nothing is written to it; it ends when the process has.
  private let exit = Pipe()
  private var writer: OutputWriter?
  private var outputReader: InputReader?
  private var exitReader: InputReader?
  private var state = State.running
  private var isInputOver = false
  private var isOutputOver = false
  private var hasExited = false

  /// Starts the command; throws in Foundation's words where there is no shell or no process for it.
  init(command: String, loop: EventLoop) throws {
    self.loop = loop
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = input
    process.standardOutput = output
    let exitHandle = exit.fileHandleForWriting
    // On a thread of Foundation's. The loop sees the end of the pipe.
    process.terminationHandler = { _ in exitHandle.closeFile() }
    try process.run()
    // Ours would keep the output open when the program has gone.
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
  }

  /// Bytes that it has not read, but for what the pipe holds.
  var unread: Int { writer?.unwritten ?? 0 }

  /// While false its output is not read, so that it has to wait.
  var isReading: Bool {
    get { outputReader?.isReading ?? false }
    set { outputReader?.isReading = newValue }
  }

  /// Does nothing after `endInput`.
  func write(_ bytes: Span<UInt8>) {
    if !isInputOver { writer?.write(bytes) }
  }

  /// Its input ends behind what was written, and it has `patience` to end by itself.
  func endInput() {
    guard case .running = state else { return }
    isInputOver = true
    if unread == 0 { closeInput() }
    state = .ending(loop.schedule(after: Self.patience) { [weak self] in self?.terminate() })
  }

  /// Ends it now, and its input too; a second time, by force.
  func terminate() {
    switch state {
    case .running: break
    case .ending(let timer): timer.cancel()
    case .terminating(let timer):
      timer.cancel()
      return kill()
    case .ended: return
    }
    isInputOver = true
    // Before its input ends: a shell that only waits for that would be gone without its trap.
    signal(SIGTERM)
    closeInput()
    state = .terminating(loop.schedule(after: Self.lastPatience) { [weak self] in self?.kill() })
  }

  private func kill() {
    signal(SIGKILL)
    finish(.terminated)
  }

  /// To the shell and what it runs: Foundation gives a process a group of its own. A group that is
  /// gone already is no error.
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

  private func finishIfOver() {
    guard hasExited, isOutputOver else { return }
    if case .terminating = state { return finish(.terminated) }
    let status = process.terminationStatus
    finish(process.terminationReason == .exit ? .exited(code: status) : .killed(signal: status))
  }

  private func finish(_ end: ChildEnd) {
    switch state {
    case .running: break
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
  }

  func inputReaderDidEnd(_ reader: InputReader, with error: SystemError?) {
    if reader === exitReader {
      hasExited = true
    } else {
      isOutputOver = true
      delegate?.childDidEndOutput()
    }
    endInput()
    finishIfOver()
  }
}
