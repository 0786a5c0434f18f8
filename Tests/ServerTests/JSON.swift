import Foundation
import TestSupport

/// A value of a line of the server, parsed by Foundation and not by the project's own decoder.
enum JSON: Equatable {
  case null
  case bool(Bool)
  case number(Int)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(_ line: String) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(line.utf8))
  }

  /// The value of a field; `nil` if it is absent or this is no object.
  subscript(field: String) -> JSON? {
    guard case .object(let fields) = self else { return nil }
    return fields[field]
  }

  var elements: [JSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// Returns the object without some fields.
  func without(_ fields: String...) -> JSON {
    guard case .object(let all) = self else { return self }
    return .object(all.filter { !fields.contains($0.key) })
  }
}

extension JSON: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else if let truth = try? container.decode(Bool.self) {
      self = .bool(truth)
    } else if let fields = try? container.decode([String: JSON].self) {
      self = .object(fields)
    } else {
      self = .array(try container.decode([JSON].self))
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .string(text) }
  init(integerLiteral number: Int) { self = .number(number) }
  init(booleanLiteral truth: Bool) { self = .bool(truth) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral fields: (String, JSON)...) {
    self = .object(Dictionary(fields) { first, _ in first })
  }
}

extension LineClient {
  /// Sends a line, and returns the lines that came.
  @discardableResult
  func ask(_ line: String) throws -> [JSON] {
    try say(line).map { try JSON($0) }
  }

  /// Returns the lines that came since the last call.
  func hear() throws -> [JSON] {
    try takeLines().map { try JSON($0) }
  }

  /// Sends a line, and returns the kinds of the lines that came.
  func askTypes(_ line: String) throws -> [String] { kinds(try ask(line)) }

  func hearTypes() throws -> [String] { kinds(try hear()) }
}

/// Returns the types of lines; for an error its code, for `bye` the word with its code.
func kinds(_ lines: [JSON]) -> [String] {
  lines.map { line in
    switch line["type"]?.text {
    case "error": line["code"]?.text ?? "error without a code"
    case "bye": "bye \(line["code"]?.text ?? "without a code")"
    case let type: type ?? "line without a type"
    }
  }
}
