import Foundation

/// The log for the operator of the server: one line for each event. At a level that is off, an
/// event costs one comparison, and no line is built.
struct Log {
  /// The levels, from the fewest lines to the most.
  enum Level: Int, CaseIterable {
    /// Events that need action by the operator.
    case warning
    /// Connections, sessions, matches, and the end of the server.
    case info
    /// Games and moves.
    case debug
    /// Every line in and out, without secrets.
    case trace
  }

  /// The level and the format of the lines.
  struct Options: Equatable {
    /// `nil` means only requested reports.
    var level: Level? = .info
    var format = LogLine.Format.text
    /// Whether the journal of systemd reads the lines, which has times and priorities of its own.
    var isForJournal = false
    /// Whether lines in the text format are ASCII, for a terminal that is not in UTF-8.
    var isASCII = false
  }

  /// What all copies of the log share, because it can change.
  private final class Threshold {
    var level: Level? { didSet { maxLevel = level?.rawValue ?? -1 } }
    private(set) var maxLevel: Int

    init(_ level: Level?) {
      self.level = level
      maxLevel = level?.rawValue ?? -1
    }
  }

  private let threshold: Threshold
  private let options: Options
  private let now: () -> Date
  private let sink: (_ line: [UInt8]) -> Void

  /// `now` returns the time of day, which is used only for the log. `sink` gets each line with its
  /// LF, and must not block.
  init(_ options: Options, now: @escaping () -> Date, sink: @escaping (_ line: [UInt8]) -> Void) {
    threshold = Threshold(options.level)
    self.options = options
    self.now = now
    self.sink = sink
  }

  /// A log that writes nothing.
  static var silent: Log { Log(Options(level: nil), now: Date.init, sink: { _ in }) }

  /// Returns whether lines of a level are written.
  func shows(_ level: Level) -> Bool { level.rawValue <= threshold.maxLevel }

  /// `nil` means only requested reports. A change holds for all copies of the log.
  var level: Level? {
    get { threshold.level }
    nonmutating set { threshold.level = newValue }
  }

  func write(_ level: Level, _ event: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
    guard shows(level) else { return }
    append(LogLine(time: now(), level: level, event: event, fields: fields()))
  }

  /// Writes a line of a requested report, at any level.
  func report(_ event: StaticString, _ fields: LogFields) {
    append(LogLine(time: now(), level: .info, event: event, fields: fields))
  }

  private func append(_ line: LogLine) {
    sink(line.bytes(for: options))
  }
}
