import Foundation

@testable import Server

/// Records the lines of a log, without their time.
final class LogRecorder {
  private(set) var lines: [String] = []

  func log(_ level: Log.Level, _ format: LogLine.Format = .text) -> Log {
    Log(
      Log.Options(level: level, format: format), now: { Date(timeIntervalSince1970: 0) },
      sink: { [unowned self] in
        let line = String(decoding: $0.dropLast(), as: UTF8.self)
        lines.append(line.replacing("1970-01-01T00:00:00.000Z ", with: ""))
      })
  }

  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}
