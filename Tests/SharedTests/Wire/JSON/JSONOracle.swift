import Foundation

/// Whether a line that begins with `{` is JSON as strict as the protocol requires. Foundation
/// decides it, together with rules over UTF-16 and a regular expression where Foundation is laxer
/// or stricter than RFC 8259 and the protocol.
///
/// Laxer: it skips a byte order mark, guesses UTF-16 and UTF-32 from zeros, lets a later key
/// replace an earlier one, allows a comma before a closing bracket, and reads up to 512 levels.
/// Stricter: it refuses numbers that no Double holds, so each number with the right grammar is
/// replaced by 0 before Foundation reads the line.
struct JSONOracle {
  private let token: NSRegularExpression

  init() throws {
    token = try NSRegularExpression(
      pattern: #"("(?:[^"\\\x00-\x1F]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*")"#
        + #"|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"#
        + #"|[{}\[\]:,]|true|false|null|[ \t\r\n]+"#)
  }

  func accepts(_ line: [UInt8]) -> Bool {
    guard let text = String(validating: line, as: UTF8.self) else { return false }
    let units = Array(text.utf16)
    var end = 0
    var copy = ""
    // The keys of each open object or array.
    var open: [Set<[UInt16]>] = []
    var lastString: [UInt16] = []
    var isAfterComma = false
    let whole = NSRange(location: 0, length: units.count)
    for match in token.matches(in: text, range: whole) {
      // Anything between two tokens is an error.
      guard match.range.location == end else { return false }
      end = match.range.upperBound
      let token = units[match.range.location..<end]
      if !token.allSatisfy({ [0x20, 0x09, 0x0D, 0x0A].contains($0) }) {
        if isAfterComma, token.first == 0x7D || token.first == 0x5D { return false }
        isAfterComma = token.first == 0x2C
      }
      if match.range(at: 2).length > 0 {
        copy += "0"
        continue
      }
      copy += String(decoding: token, as: UTF16.self)
      switch token.first {
      case 0x22:  // "
        lastString = unescaped(token.dropFirst().dropLast())
        guard String(validating: lastString, as: UTF16.self) != nil else { return false }
      case 0x3A:  // :
        guard let last = open.indices.last, open[last].insert(lastString).inserted else {
          return false
        }
      case 0x7B, 0x5B:  // { [
        open.append([])
        if open.count > 16 { return false }
      case 0x7D, 0x5D:  // } ]
        guard open.popLast() != nil else { return false }
      default:
        break
      }
    }
    guard end == units.count else { return false }
    return (try? JSONSerialization.jsonObject(with: Data(copy.utf8))) is [String: Any]
  }

  /// The characters of a string whose escapes are well-formed.
  private func unescaped(_ units: ArraySlice<UInt16>) -> [UInt16] {
    var result: [UInt16] = []
    var rest = units
    while let unit = rest.popFirst() {
      guard unit == 0x5C, let letter = rest.popFirst() else {
        result.append(unit)
        continue
      }
      if letter == 0x75 {
        let digits = String(decoding: rest.prefix(4), as: UTF16.self)
        result.append(UInt16(digits, radix: 16) ?? 0)
        rest = rest.dropFirst(4)
      } else {
        let escapes: [Character: UInt16] = ["b": 8, "f": 12, "n": 10, "r": 13, "t": 9]
        result.append(escapes[Character(Unicode.Scalar(letter) ?? "?")] ?? letter)
      }
    }
    return result
  }
}
