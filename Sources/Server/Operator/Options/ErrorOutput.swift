import Foundation
import Shared

/// The sentences of the server's program that are no events of its log: about its start, and its
/// last words. They go to standard error in the form of the log.
struct ErrorOutput {
  /// How much a sentence matters.
  enum Level {
    case info
    /// The operator should do something, but the process goes on.
    case warning
    /// The process ends because of it.
    case last
  }

  /// How the process was asked to write.
  let options: Log.Options

  /// That of this process. A tool writes text for people.
  static var ofProcess: ErrorOutput {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let environment = ProcessInfo.processInfo.environment
    guard case .tool? = try? ServerOptions.parse(arguments) else {
      return ErrorOutput(options: .init(arguments, environment))
    }
    return ErrorOutput(
      options: .init(isForJournal: Log.Options.isJournal(STDERR_FILENO, environment)))
  }

  /// Writes a sentence. What it has after a line break are lines of their own, to be copied.
  func write(_ sentence: String, _ level: Level = .info) {
    if options.format == .text, !options.isForJournal {
      return StandardOutput.printError(lines: sentence.split(separator: "\n").map(String.init))
    }
    // If even this fails, there is nowhere left to report it.
    try? FileHandle.standardError.write(contentsOf: Data(bytes(sentence, level)))
  }

  /// Returns what a program reads: the journal, or one that reads JSON.
  func bytes(_ sentence: String, _ level: Level) -> [UInt8] {
    guard options.format == .json else {
      let lines = sentence.split(separator: "\n")
      return Array(lines.map { "<\(level.priority)>\(String($0).printable)\n" }.joined().utf8)
    }
    return LogLine(
      time: Date(), level: level == .info ? .info : .warning,
      event: level == .last ? "failed" : "start", fields: ["text": .words(sentence)],
      isLast: level == .last
    ).bytes(for: options)
  }
}

extension ErrorOutput.Level {
  /// That of syslog(3).
  fileprivate var priority: Int {
    switch self {
    case .info: 5
    case .warning: 4
    case .last: 3
    }
  }
}

extension Log.Options {
  /// Finds the format in a command line that may be wrong, in the environment, and in the files.
  init(_ arguments: [String], _ environment: [String: String]) {
    self.init()
    isForJournal = Self.isJournal(STDERR_FILENO, environment)
    var (format, location) = (String?.none, ConfigurationLocation.standard)
    var reader = ArgumentReader(arguments)
    while let argument = try? reader.next() {
      guard case .option(let name) = argument,
        name == "--config" || ServerOption(argument: name) != nil
      else { continue }
      let value = try? reader.value(of: name)
      if name == "--log-format" { format = value }
      if name == "--config", let value { location = (try? .init(value)) ?? location }
    }
    let settings = ServerConfiguration(at: location, environment).settings
    let text = format ?? settings.last { $0.option == .logFormat }?.value
    self.format = text.flatMap { LogLine.Format(rawValue: $0.lowercased()) } ?? .text
  }

  /// Returns whether a descriptor leads to the journal of systemd, as `JOURNAL_STREAM` says.
  static func isJournal(_ descriptor: Int32, _ environment: [String: String]) -> Bool {
    guard let words = environment["JOURNAL_STREAM"]?.split(separator: ":"), words.count == 2 else {
      return false
    }
    var status = stat()
    return fstat(descriptor, &status) == 0 && words[0] == "\(status.st_dev)"
      && words[1] == "\(status.st_ino)"
  }
}
