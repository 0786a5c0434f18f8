import Foundation

/// A Swift file: which types it declares, and which names of types occur in it.
struct SourceFile {
  /// The path below `Sources`, such as `Server/Play/Lobby.swift`.
  let path: String
  /// The types that other files can name: those at the top level that are not private.
  private(set) var declared: Set<String> = []
  /// The types that it declares at any level.
  private(set) var own: Set<String> = []
  /// Capitalized names, but for members and what stands in comments and texts.
  private(set) var used: Set<String> = []

  /// `Server`, `Client` or `Shared`.
  var side: String { String(path.prefix { $0 != "/" }) }

  /// The folder below the side; empty for a file that stands beside the rooms.
  var room: String {
    let parts = path.split(separator: "/")
    return parts.count > 2 ? String(parts[1]) : ""
  }

  init(path: String, text: String) {
    self.path = path
    var tokens = SourceTokens(text)
    var depth = 0
    var isPrivate = false
    var isDeclaration = false
    var last = ""
    while let token = tokens.next() {
      switch token {
      case "{": depth += 1
      case "}": depth -= 1
      case "private", "fileprivate": isPrivate = true
      case "class", "struct", "enum", "protocol", "actor", "typealias", "associatedtype":
        isDeclaration = true
      default:
        guard let first = token.utf8.first else { continue }
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
        if isDeclaration, isCapital {
          own.insert(token)
          if depth == 0, !isPrivate { declared.insert(token) }
        } else if isCapital, last != "." {
          used.insert(token)
        }
        isDeclaration = false
        if !Self.modifiers.contains(token) { isPrivate = false }
      }
      last = token
    }
  }

  private static let modifiers: Set<String> = ["final", "indirect", "weak", "unowned", "static"]
}

/// The words and marks of a Swift file, without comments and without the texts of strings. The code
/// of an interpolation counts.
private struct SourceTokens {
  private let bytes: [UInt8]
  private var offset = 0
  /// For each string around this place: its number of `#`, whether it has three quotes, and how
  /// many parentheses of the interpolation are open.
  private var strings: [(hashes: Int, isLong: Bool, parentheses: Int)] = []

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func next() -> String? {
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "/") where follows("/"): skipLine()
      case UInt8(ascii: "/") where follows("*"): skipBlockComment()
      case UInt8(ascii: "#"), UInt8(ascii: "\""):
        if !beginString() { offset += 1 }
      case UInt8(ascii: "("):
        if !strings.isEmpty { strings[strings.count - 1].parentheses += 1 }
        offset += 1
      case UInt8(ascii: ")"):
        offset += 1
        guard !strings.isEmpty else { continue }
        strings[strings.count - 1].parentheses -= 1
        if strings[strings.count - 1].parentheses == 0 { skipText() }
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "."):
        offset += 1
        return String(UnicodeScalar(byte))
      case _ where Self.isWord(byte): return word()
      default: offset += 1
      }
    }
    return nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private func follows(_ mark: Unicode.Scalar) -> Bool {
    offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: mark)
  }

  private mutating func word() -> String {
    let start = offset
    while offset < bytes.count, Self.isWord(bytes[offset]) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func skipLine() {
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if bytes[offset] == UInt8(ascii: "/"), follows("*") {
        depth += 1
        offset += 2
      } else if bytes[offset] == UInt8(ascii: "*"), follows("/") {
        depth -= 1
        offset += 2
      } else {
        offset += 1
      }
    } while depth > 0 && offset < bytes.count
  }

  /// Goes into a string that begins here. Returns whether one does.
  private mutating func beginString() -> Bool {
    var end = offset
    while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return false }
    let isLong =
      end + 2 < bytes.count && bytes[end + 1] == UInt8(ascii: "\"")
      && bytes[end + 2] == UInt8(ascii: "\"")
    strings.append((end - offset, isLong, 0))
    offset = end + (isLong ? 3 : 1)
    skipText()
    return true
  }

  /// Goes on to the end of the innermost string, or to the code of its next interpolation.
  private mutating func skipText() {
    guard let string = strings.last else { return }
    let hashes = [UInt8](repeating: UInt8(ascii: "#"), count: string.hashes)
    let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: string.isLong ? 3 : 1)
    let escape = [UInt8(ascii: "\\")] + hashes
    while offset < bytes.count {
      if bytes[offset...].starts(with: quotes + hashes) {
        offset += quotes.count + hashes.count
        strings.removeLast()
        return
      }
      if bytes[offset...].starts(with: escape) {
        offset += escape.count
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "(") else {
          offset += 1
          continue
        }
        strings[strings.count - 1].parentheses = 1
        offset += 1
        return
      }
      offset += 1
    }
  }
}
