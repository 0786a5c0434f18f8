import Foundation

/// What happens in the server, for whoever runs it: one line an event. At a level that is off a line
/// costs one comparison, and nothing is built. The root hands it down.
struct Log {
  /// The more a level shows, the later it stands.
  enum Level: Int, CaseIterable {
    /// Somebody has to do something.
    case warning
    /// Who comes and goes, matches, how the server stops.
    case info
    /// Games and moves.
    case debug
    /// Every line in and out, without its secrets.
    case trace
  }

  /// What is left out, and what the lines look like.
  struct Options: Equatable {
    /// `nil`: nothing is written but what is asked for.
    var level: Level? = .info
    var format = LogLine.Format.text
  }

  private let maxLevel: Int
  private let format: LogLine.Format
  private let now: () -> Date
  private let sink: (_ line: [UInt8]) -> Void

  /// `now` is the time of day, on which nothing else depends; `sink` takes each line, LF included,
  /// and may not wait.
  init(_ options: Options, now: @escaping () -> Date, sink: @escaping (_ line: [UInt8]) -> Void) {
    maxLevel = options.level?.rawValue ?? -1
    format = options.format
    self.now = now
    self.sink = sink
  }

  /// Writes nothing.
  static var silent: Log { Log(Options(level: nil), now: Date.init, sink: { _ in }) }

  /// Whether lines of a level are written.
  func shows(_ level: Level) -> Bool { level.rawValue <= maxLevel }

  func write(_ level: Level, _ event: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
    guard shows(level) else { return }
    append(LogLine(time: now(), level: level, event: event, fields: fields()))
  }

  /// Writes what somebody has asked for, at whatever level.
  func answer(_ event: StaticString, _ fields: LogFields) {
    append(LogLine(time: now(), level: .info, event: event, fields: fields))
  }

  private func append(_ line: LogLine) {
    sink(line.bytes(as: format))
  }
}
