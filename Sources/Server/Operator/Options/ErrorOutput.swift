import Foundation
import Shared

/// The sentences of the server's program that are no events of its log: about its start, and its
/// last words. They go to standard error in the form of the log.
struct ErrorOutput {
  /// How the process was asked to write.
  let options: Log.Options

  /// That of this process. A tool writes for people.
  static var ofProcess: ErrorOutput {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if case .tool? = try? ServerOptions.parse(arguments) { return ErrorOutput(options: .init()) }
    return ErrorOutput(options: .init(arguments, ProcessInfo.processInfo.environment))
  }

  /// Writes a sentence. With `isLast` the process ends because of it.
  func write(_ sentence: String, isLast: Bool = false) {
    if options.format == .text, !options.isForJournal { return StandardOutput.printError(sentence) }
    let line =
      options.format == .text
      ? Array("<\(isLast ? 3 : 5)>\(sentence.printable.replacing("\n", with: " "))\n".utf8)
      : LogLine(
        time: Date(), level: isLast ? .warning : .info, event: isLast ? "failed" : "start",
        fields: ["text": .words(sentence)], isLast: isLast
      ).bytes(for: options)
    // If even this fails, there is nowhere left to report it.
    try? FileHandle.standardError.write(contentsOf: Data(line))
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
