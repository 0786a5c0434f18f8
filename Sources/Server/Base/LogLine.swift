import Foundation
import Shared

/// The fields of a line, in order.
typealias LogFields = KeyValuePairs<StaticString, LogValue>

/// The value of a field. A field with the value `nil` is omitted.
enum LogValue {
  case number(Int?)
  case text(String?)
  /// A text for people. In the text format it is the last field, escaped but not quoted.
  case words(String?)
}

/// One line of the log. Control characters in names and texts from the network are escaped, so that
/// an event is always one line, and no escape sequence reaches a terminal.
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
  /// Whether it has the last words of the process.
  var isLast = false

  /// Returns the line with its LF.
  func bytes(for options: Log.Options) -> [UInt8] {
    let prefix = options.isForJournal ? Array("<\(priority)>".utf8) : []
    switch options.format {
    case .text where options.isForJournal: return prefix + Array("\(text)\n".utf8)
    case .text where options.isASCII:
      return Array("\(timeText) \(Self.escapedToASCII(text))\n".utf8)
    case .text: return Array("\(timeText) \(text)\n".utf8)
    case .json: return prefix + json
    }
  }

  /// The priority of syslog(3), which the journal has too.
  private var priority: Int {
    switch level {
    case .warning: isLast ? 3 : 4
    case .info: 6
    case .debug, .trace: 7
    }
  }

  private var levelText: String { isLast ? "error" : "\(level)" }

  private var timeText: String {
    time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  private var text: String {
    var line = "\(levelText) \(event)"
    for (name, value) in fields {
      switch value {
      case .number(let number): if let number { line += " \(name)=\(number)" }
      case .text(let text): if let text { line += " \(name)=\(Self.quotedWhereNeeded(text))" }
      case .words(let words): if let words { line += ": \(Self.escaped(words))" }
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
    line.put("level", levelText)
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

  /// Replaces signs, and escapes other characters, which are part of names.
  private static func escapedToASCII(_ text: String) -> String {
    text.map { character in
      let sign = character.asciiSign
      return sign.isASCII
        ? String(sign)
        : sign.unicodeScalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined()
    }.joined()
  }

  /// Escapes control characters, and characters that change how others are shown, as `\u{1b}`.
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
