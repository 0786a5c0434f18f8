import Foundation
import Shared

/// What a line says of its event, in that order.
typealias LogFields = KeyValuePairs<StaticString, LogValue>

enum LogValue {
  // A field without a value is left out.
  case number(Int?)
  case text(String?)
  /// For people, and in a line of text the last: what stands there is not quoted, only escaped.
  case words(String)
}

/// One line of the log. Whatever a name or a text from the network holds, it stays one line, and no
/// control character of it reaches a terminal.
struct LogLine {
  enum Format: String, CaseIterable {
    /// `TIME LEVEL EVENT NAME=VALUE ...: WORDS`
    case text
    /// One object, with `time`, `level`, `event` and the fields.
    case json
  }

  let time: Date
  let level: Log.Level
  let event: StaticString
  let fields: LogFields

  /// With its LF.
  func bytes(as format: Format) -> [UInt8] {
    switch format {
    case .text: Array("\(text)\n".utf8)
    case .json: json
    }
  }

  private var timeText: String {
    time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  private var text: String {
    var line = "\(timeText) \(level) \(event)"
    for (name, value) in fields {
      switch value {
      case .number(let number): if let number { line += " \(name)=\(number)" }
      case .text(let text): if let text { line += " \(name)=\(Self.quotedWhereNeeded(text))" }
      case .words(let words): line += ": \(Self.escaped(words))"
      }
    }
    return line
  }

  private var json: [UInt8] {
    var bytes: [UInt8] = []
    LineWriter.withLine({ putJSON(to: &$0) }, { bytes.append($0) })
    return bytes
  }

  private func putJSON(to line: inout LineWriter) {
    line.put("{\"time\":")
    line.put(quoted: timeText)
    line.put("level", "\(level)")
    line.put("event", "\(event)")
    for (name, value) in fields {
      switch value {
      case .number(let number): line.put(name, number)
      case .text(let text): line.put(name, text)
      case .words(let words): line.put(name, words)
      }
    }
    line.put("}\n")
  }

  private static func quotedWhereNeeded(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard !isPlain || text.isEmpty else { return text }
    let inQuotes = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped(inQuotes))\""
  }

  /// Control characters, and those that change how others are shown, as `\u{1b}`.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar.isControlOrFormat {
        escaped += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
