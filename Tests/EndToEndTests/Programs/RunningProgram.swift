import Dispatch
import Foundation

/// A program of this package, or another, in a process of its own. The test writes its input and
/// reads its output. The program is killed when this object goes.
final class RunningProgram {
  struct TimeoutError: Error, CustomStringConvertible {
    let description: String
  }

  /// How many seconds a wait may take. Nothing takes that long.
  private static let timeout = 30

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private let hasExited = DispatchSemaphore(value: 0)
  private var unread: [UInt8] = []
  private var errorBytes: [UInt8] = []

  static let stateFolder = NSTemporaryDirectory() + "tictactoe-state-\(getpid())"
  /// The folders of programs under test. They leave the developer's own alone, and the
  /// configuration folder does not exist.
  static let folders = [
    "XDG_STATE_HOME": stateFolder,
    "XDG_CONFIG_HOME": NSTemporaryDirectory() + "tictactoe-config-\(getpid())",
  ]

  /// `environment` is added to that of the tests, with a locale of UTF-8.
  init(
    _ executable: URL, _ arguments: [String], environment: [String: String] = [:],
    in folder: URL? = nil
  ) throws {
    process.executableURL = executable
    if let folder { process.currentDirectoryURL = folder }
    process.environment = ProcessInfo.processInfo.environment.merging(Self.folders) { $1 }
      .merging(["LC_ALL": "C.UTF-8"]) { $1 }.merging(environment) { $1 }
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    let hasExited = hasExited
    process.terminationHandler = { _ in hasExited.signal() }
    try Self.withoutBlockedSignals { try process.run() }
    // Our copies would keep the output open after the program has ended.
    try output.fileHandleForWriting.close()
    try errors.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
  }

  /// A program inherits the blocked signals. The threads of tests block nearly all of them.
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

  convenience init(
    product: String, _ arguments: [String] = [], environment: [String: String] = [:],
    in folder: URL? = nil
  ) throws {
    try self.init(Self.product(product), arguments, environment: environment, in: folder)
  }

  /// A program of this package, in the folder that `TICTACTOE_PROGRAMS` names; otherwise in the
  /// folder of the tests.
  static func product(_ name: String) -> URL {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let folder =
      ProcessInfo.processInfo.environment["TICTACTOE_PROGRAMS"].map(URL.init(fileURLWithPath:))
      ?? tests.deletingLastPathComponent()
    return folder.appendingPathComponent(name)
  }

  /// Whether a program of the system is there.
  static func isInstalled(_ name: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  var hasEnded: Bool { !process.isRunning }

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

  /// Returns the output up to and including a text. Throws `TimeoutError` if it does not come.
  @discardableResult
  func read(until text: String) throws -> String {
    let wanted = Array(text.utf8)
    let deadline = Self.deadline
    while true {
      if let end = Self.end(of: wanted, in: unread) {
        defer { unread.removeFirst(end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = try Self.readSome(output, until: deadline)
      guard !more.isEmpty else {
        throw TimeoutError(
          description:
            "“\(text)” did not come; the output is: \(String(decoding: unread, as: UTF8.self))")
      }
      unread += more
    }
  }

  /// The rest of the output.
  func readToEnd() throws -> String {
    let deadline = Self.deadline
    while case let more = try Self.readSome(output, until: deadline), !more.isEmpty {
      unread += more
    }
    defer { unread = [] }
    return String(decoding: unread, as: UTF8.self)
  }

  /// Everything that the program writes to its standard error until it ends.
  func errorOutput() throws -> String {
    let deadline = Self.deadline
    while case let more = try Self.readSome(errors, until: deadline), !more.isEmpty {
      errorBytes += more
    }
    return String(decoding: errorBytes, as: UTF8.self)
  }

  /// Waits until the program has written a text to its standard error. Returns everything up to now.
  @discardableResult
  func readErrorOutput(until text: String) throws -> String {
    let deadline = Self.deadline
    while Self.end(of: Array(text.utf8), in: errorBytes) == nil {
      let more = try Self.readSome(errors, until: deadline)
      guard !more.isEmpty else {
        throw TimeoutError(description: "“\(text)” did not come on standard error.")
      }
      errorBytes += more
    }
    return String(decoding: errorBytes, as: UTF8.self)
  }

  /// The resident memory of the program, in pages. Linux only.
  func residentPages() throws -> Int {
    let file = "/proc/\(process.processIdentifier)/statm"
    let numbers = try String(contentsOfFile: file, encoding: .utf8).split(separator: " ")
    guard numbers.count > 1, let pages = Int(numbers[1]) else { throw POSIXError(.EIO) }
    return pages
  }

  #if os(Linux)
    /// The program's arguments, as `ps` reads them.
    func arguments() throws -> [String] {
      let file = "/proc/\(process.processIdentifier)/cmdline"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      return text.split(separator: "\0").map(String.init)
    }

    /// The size of the program's descriptor table.
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
    guard hasExited.wait(timeout: .now() + .seconds(Self.timeout)) == .success else {
      throw TimeoutError(description: "The program does not end.")
    }
    hasExited.signal()
    guard process.terminationReason == .exit else {
      throw TimeoutError(
        description: "The program was killed by signal \(process.terminationStatus).")
    }
    return process.terminationStatus
  }

  private static var deadline: ContinuousClock.Instant { .now + .seconds(timeout) }

  /// Returns empty data at the end of the output. Throws `TimeoutError` at the deadline.
  private static func readSome(_ pipe: Pipe, until deadline: ContinuousClock.Instant) throws -> Data
  {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      // A program that shows that it waits writes again and again: the deadline is for all of it.
      let timeLeft = max(.zero, deadline - .now)
      let count = poll(&ready, 1, Int32(timeLeft / .milliseconds(1)))
      if count == 0 { throw TimeoutError(description: "The program does not write it in time.") }
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
