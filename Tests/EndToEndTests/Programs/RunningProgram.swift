import Dispatch
import Foundation

/// A program of this package, or another, in a process of its own with its input and output in the
/// test's hand. It is killed when this goes.
final class RunningProgram {
  struct Silent: Error, CustomStringConvertible {
    let description: String
  }

  /// Nothing takes that long; a test that waits for what never comes ends.
  private static let patience = 30

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private let hasExited = DispatchSemaphore(value: 0)
  private var unread: [UInt8] = []
  private var complained: [UInt8] = []

  /// Where programs under test keep their state, so that a person's own is left alone.
  static let stateFolder = NSTemporaryDirectory() + "tictactoe-state-\(getpid())"

  init(_ executable: URL, _ arguments: [String]) throws {
    process.executableURL = executable
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_STATE_HOME": Self.stateFolder]) { $1 }
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    let hasExited = hasExited
    process.terminationHandler = { _ in hasExited.signal() }
    try Self.withoutBlockedSignals { try process.run() }
    // Ours would keep the output open when the program has gone.
    try output.fileHandleForWriting.close()
    try errors.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
  }

  /// A program inherits what is blocked; on the threads of tests that is nearly every signal.
  private static func withoutBlockedSignals(_ action: () throws -> Void) rethrows {
    var (none, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &blocked)
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    try action()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  convenience init(product: String, _ arguments: [String] = []) throws {
    try self.init(Self.product(product), arguments)
  }

  /// A program of this package: of the folder that `TICTACTOE_PROGRAMS` names, else the one that
  /// stands beside the tests.
  static func product(_ name: String) -> URL {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let folder =
      ProcessInfo.processInfo.environment["TICTACTOE_PROGRAMS"].map(URL.init(fileURLWithPath:))
      ?? tests.deletingLastPathComponent()
    return folder.appendingPathComponent(name)
  }

  func type(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  func endInput() throws {
    try input.fileHandleForWriting.close()
  }

  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// The next whole line of the output.
  func readLine() throws -> String {
    var line = try read(until: "\n")
    line.removeLast()
    return line
  }

  /// The output up to and including a text.
  @discardableResult
  func read(until text: String) throws -> String {
    let wanted = Array(text.utf8)
    while true {
      if let end = Self.end(of: wanted, in: unread) {
        defer { unread.removeFirst(end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = try Self.readSome(output)
      guard !more.isEmpty else {
        throw Silent(
          description: "“\(text)” never came, but: \(String(decoding: unread, as: UTF8.self))")
      }
      unread += more
    }
  }

  /// The rest of the output.
  func readToEnd() throws -> String {
    while case let more = try Self.readSome(output), !more.isEmpty { unread += more }
    defer { unread = [] }
    return String(decoding: unread, as: UTF8.self)
  }

  /// What the program has complained, once it has ended.
  func complaint() throws -> String {
    while case let more = try Self.readSome(errors), !more.isEmpty { complained += more }
    return String(decoding: complained, as: UTF8.self)
  }

  /// Waits until the program has complained of something.
  func readComplaint(until text: String) throws {
    while Self.end(of: Array(text.utf8), in: complained) == nil {
      let more = try Self.readSome(errors)
      guard !more.isEmpty else { throw Silent(description: "“\(text)” was never complained of.") }
      complained += more
    }
  }

  /// How much memory it takes, in pages; on Linux.
  func residentPages() throws -> Int {
    let file = "/proc/\(process.processIdentifier)/statm"
    let numbers = try String(contentsOfFile: file, encoding: .utf8).split(separator: " ")
    guard numbers.count > 1, let pages = Int(numbers[1]) else { throw POSIXError(.EIO) }
    return pages
  }

  #if os(Linux)
    /// For how many descriptors the kernel has made room.
    func descriptorRoom() throws -> Int {
      let file = "/proc/\(process.processIdentifier)/status"
      let status = try String(contentsOfFile: file, encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("FDSize:") }
      guard let room = line?.split(separator: "\t").last.flatMap({ Int($0) }) else {
        throw POSIXError(.EIO)
      }
      return room
    }
  #endif

  /// Waits until the program has ended.
  func exitCode() throws -> Int32 {
    guard hasExited.wait(timeout: .now() + .seconds(Self.patience)) == .success else {
      throw Silent(description: "The program does not end.")
    }
    hasExited.signal()
    guard process.terminationReason == .exit else {
      throw Silent(description: "The program was ended by signal \(process.terminationStatus).")
    }
    return process.terminationStatus
  }

  /// Empty at the end of the output.
  private static func readSome(_ pipe: Pipe) throws -> Data {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&ready, 1, Int32(patience) * 1_000)
      if count == 0 { throw Silent(description: "The program says nothing any more.") }
      if count > 0 { return pipe.fileHandleForReading.availableData }
      guard errno == EINTR else { throw POSIXError(.EIO) }
    }
  }

  private static func end(of wanted: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= wanted.count else { return nil }
    return (0...bytes.count - wanted.count)
      .first { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
      .map { $0 + wanted.count }
  }
}
