package import Foundation

/// A terminal in which the test types and reads the screen. A program runs at its other end, or the
/// test itself uses that end through `descriptor`. The program is killed when this object goes.
package final class PseudoTerminal {
  package struct TerminalError: Error, CustomStringConvertible {
    package let description: String
  }

  /// The terminal's settings, for comparison.
  package struct Settings: Equatable {
    package let flags: [tcflag_t]
    package let controlCharacters: [cc_t]
  }

  /// The longest wait. Nothing takes that long.
  private static let timeout = Duration.seconds(30)

  // POSIX_SPAWN_SETSID, which Glibc does not export to Swift.
  #if os(Linux)
    private static let newSession: Int16 = 0x80
  #else
    private static let newSession = Int16(POSIX_SPAWN_SETSID)
  #endif

  /// The screen that the programs at this terminal have drawn.
  package private(set) var screen: ScreenEmulator
  /// The end that programs use; closed when this object goes.
  package let descriptor: Int32
  private let own: Int32
  private var isHungUp = false
  private let path: String
  private var process: pid_t?

  /// `width` returns how many columns a character takes, 0 to 2.
  package init(rows: Int, columns: Int, width: @escaping (Character) -> Int) throws {
    var ends: (own: Int32, others: Int32) = (-1, -1)
    _ = try Self.check("openpty", openpty(&ends.own, &ends.others, nil, nil, nil))
    (own, descriptor) = ends
    // Tests run in parallel, and `ttyname` returns a buffer that all threads share.
    var name = [CChar](repeating: 0, count: 128)
    guard ttyname_r(descriptor, &name, name.count) == 0 else {
      throw TerminalError(description: "ttyname_r failed")
    }
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    for end in [own, descriptor] { _ = try Self.check("fcntl", fcntl(end, F_SETFD, FD_CLOEXEC)) }
    screen = ScreenEmulator(rows: rows, columns: columns, width: width)
    try setSize(rows, columns)
  }

  deinit {
    if let process {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    if !isHungUp { hangUp() }
  }

  package var settings: Settings {
    get throws {
      var settings = termios()
      _ = try Self.check("tcgetattr", tcgetattr(descriptor, &settings))
      return Settings(
        flags: [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag],
        controlCharacters: withUnsafeBytes(of: settings.c_cc) { Array($0) })
    }
  }

  /// Whether the terminal echoes what is typed, as in a shell.
  package var echoes: Bool {
    get throws { try settings.flags[3] & tcflag_t(ECHO) != 0 }
  }

  /// Starts a program at this terminal, as the leader of a session of its own.
  package func start(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    precondition(process == nil, "a terminal runs one program")
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // The first terminal that a session leader opens becomes the session's terminal.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
    for output in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, output)
    }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    let ours = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
    let variables = ours.merging(environment) { $1 }.map { strdup("\($0)=\($1)") }
    let words = ([executable] + arguments).map { strdup($0) }
    defer { for word in words + variables { free(word) } }
    var started = pid_t()
    let code = posix_spawn(
      &started, executable, &actions, &attributes, words + [nil], variables + [nil])
    guard code == 0 else {
      throw TerminalError(description: "posix_spawn: \(String(cString: strerror(code)))")
    }
    process = started
  }

  /// Types text, keys included: Ctrl-C is `\u{3}`.
  package func type(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(own, $0.baseAddress, $0.count) }
      bytes = bytes.dropFirst(try Self.check("write", count))
    }
  }

  /// Changes the size, signals the programs, and clears the screen.
  package func resize(rows: Int, columns: Int) throws {
    screen.resize(rows: rows, columns: columns)
    try setSize(rows, columns)
  }

  /// Closes the terminal, as closing a window does. Only `exitCode` works after that.
  package func hangUp() {
    isHungUp = true
    close(own)
    close(descriptor)
  }

  /// Sends a signal to the program.
  package func send(_ signal: Int32) {
    if let process { kill(process, signal) }
  }

  /// Waits until the lines of the screen fulfil a condition. Throws `TerminalError` after the time-out.
  package func wait(
    for what: String, until isThere: (ScreenEmulator) throws -> Bool
  ) throws {
    let end = ContinuousClock.now + Self.timeout
    while try !isThere(screen) {
      _ = try readSome(before: .milliseconds(50))
      guard ContinuousClock.now < end else {
        throw TerminalError(
          description: "\(what) never came, but:\n\(screen.lines.joined(separator: "\n"))")
      }
    }
  }

  /// Waits until the screen shows a text.
  package func wait(for text: String) throws {
    try wait(for: "“\(text)”") { $0.lines.contains { $0.contains(text) } }
  }

  /// Waits until the program has ended. Returns its exit code, or the negated number of its signal.
  package func exitCode() throws -> Int32 {
    guard let process else { throw TerminalError(description: "No program runs.") }
    let end = ContinuousClock.now + Self.timeout
    var status: Int32 = 0
    // A program at an open terminal can block until its output is read.
    while try Self.check("waitpid", waitpid(process, &status, WNOHANG)) == 0 {
      _ = try readSome(before: .milliseconds(10))
      guard ContinuousClock.now < end else {
        throw TerminalError(description: "The program does not end.")
      }
    }
    self.process = nil
    while try readSome(before: .zero) {}
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }

  /// Waits until Ctrl-Z, or a signal, has stopped the program.
  package func waitUntilStopped() throws {
    guard let process else { throw TerminalError(description: "No program runs.") }
    let end = ContinuousClock.now + Self.timeout
    var status: Int32 = 0
    while try Self.check("waitpid", waitpid(process, &status, WNOHANG | WUNTRACED)) == 0 {
      _ = try readSome(before: .milliseconds(10))
      guard ContinuousClock.now < end else {
        throw TerminalError(description: "The program goes on.")
      }
    }
    guard status & 0xFF == 0x7F else {
      self.process = nil
      throw TerminalError(description: "The program has ended: \(status).")
    }
    while try readSome(before: .zero) {}
  }

  /// Returns whether anything was read.
  package func readSome(before wait: Duration) throws -> Bool {
    // With a negative descriptor `poll` only waits.
    var ready = pollfd(fd: isHungUp ? -1 : own, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(wait / .milliseconds(1))
    guard try Self.check("poll", poll(&ready, 1, milliseconds)) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = try Self.check("read", read(own, &buffer, buffer.count))
    try screen.receive(buffer[..<count])
    return count > 0
  }

  private func setSize(_ rows: Int, _ columns: Int) throws {
    var window = winsize()
    window.ws_row = UInt16(rows)
    window.ws_col = UInt16(columns)
    _ = try Self.check("ioctl", ioctl(own, UInt(TIOCSWINSZ), &window))
  }

  private static func check<Value: SignedInteger>(
    _ call: String, _ value: Value
  ) throws -> Value {
    guard value != -1 else {
      throw TerminalError(description: "\(call): \(String(cString: strerror(errno)))")
    }
    return value
  }
}
