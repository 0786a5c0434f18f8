import TestSupport

/// Mutates the lines of a server, one at a time, from a seed.
struct LineMutator {
  private static let integers = [
    "-9007199254740991", "-1", "0", "1", "2", "3", "4", "9", "18", "19", "20", "255", "65536",
    "2147483648", "9007199254740991", "9007199254740992", "1e999", "-0", "0.5",
    "99999999999999999999999999",
  ]
  private static let strings =
    [
      "", " ", "X", "O", ".", "ann", "bob", "bot", "eve", "tictactoe", "gomoku", "connect",
      "ultimate", "k7w2mx",
      "declined", "expired", "easy", "m", "a\\nb wins.",
      "\\u001b[2J", "\\u009b2J", "\\u0000", "\\u202etxet", "\\u200b", "👩‍👩‍👧", "e\u{301}", "日本語",
      "\u{1F1E9}\u{1F1EA}", "\u{FFFD}", "left", "line", "full", "win", "draw", "playing",
      "watching",
      "00000000", "afa687df", "Type: login; type: start", "...", "X.O", "quit", "shutdown", "moved",
    ] + [
      String(repeating: "x", count: 10_000), String(repeating: "日", count: 10_000),
      "e" + String(repeating: "\u{301}", count: 5_000), String(repeating: " ", count: 300),
      String(repeating: "type: a ", count: 2_000), String(repeating: "a; ", count: 5_000),
      String(repeating: "👩‍👩‍👧", count: 24), String(repeating: "x", count: 24),
    ]
  private static let others = [
    "null", "true", "false", "[]", "{}", "[[0,0],[1,1],[2,2]]", "[[]]", "[0,0]",
    "[[0,0],[18,18]]", "[[5,0],[5,1],[5,2]]", "{\"X\":\"ann\",\"O\":\"bob\"}",
    "{\"X\":0,\"O\":0,\"draws\":0}",
    String(repeating: "[", count: 17) + String(repeating: "]", count: 17),
  ]

  private let transcripts: [[String]]
  private var random: SeededGenerator

  init(transcripts: [[String]], seed: UInt64) {
    self.transcripts = transcripts
    random = SeededGenerator(seed: seed)
  }

  /// Returns the lines to send instead of a line: mostly one, sometimes none or several.
  mutating func mutate(_ line: String) -> [[UInt8]] {
    if line.contains("\"board\""), Int.random(in: 0..<3, using: &random) == 0 {
      return [Array(reshaped(line).utf8)]
    }
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return []
    case 1: return [Array(line.utf8), Array(line.utf8)]
    case 2: return [Array(anyLine().utf8), Array(line.utf8)]
    case 3: return [bytes(of: line)]
    case 4 where Bool.random(using: &random):
      return (0..<150).flatMap { flood(of: line, $0) }
    default: return [Array(changed(line).utf8)]
    }
  }

  /// Replaces one to three parts of the line.
  private mutating func changed(_ line: String) -> String {
    guard var tree = JSONTree(line) else { return line }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let number = Int.random(in: 0..<tree.count, using: &random)
      tree[number] = changed(tree[number])
    }
    return tree.text
  }

  private mutating func changed(_ tree: JSONTree) -> JSONTree {
    switch tree {
    case .leaf(let text): return .leaf(value(insteadOf: text))
    case .array(var elements):
      let index = Int.random(in: 0...elements.count, using: &random)
      let element = elements.randomElement(using: &random) ?? .leaf("0")
      switch Int.random(in: 0..<4, using: &random) {
      case 0: elements = Array(elements[..<index])
      case 1: elements.insert(element, at: index)
      case 2:
        elements += Array(repeating: element, count: [10, 400].randomElement(using: &random) ?? 1)
      default: elements.reverse()
      }
      return .array(elements)
    case .object(var fields):
      guard let index = fields.indices.randomElement(using: &random) else { return tree }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: fields.append(fields[index])
      case 1: fields[index].key = "\"\(Self.strings.randomElement(using: &random) ?? "")\""
      case 2:
        let other = JSONTree(anyLine())
        if let other, case .object(let more) = other, let field = more.randomElement(using: &random)
        {
          fields[index].value = field.value
        }
      default: fields.remove(at: index)
      }
      return .object(fields)
    }
  }

  /// Mostly returns a value of the same type, so that the client accepts the line.
  private mutating func value(insteadOf text: String) -> String {
    let isString = text.hasPrefix("\"")
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return Self.others.randomElement(using: &random) ?? "null"
    case 1: return isString ? integer() : string()
    default: return isString ? string() : integer()
    }
  }

  private mutating func integer() -> String {
    Self.integers.randomElement(using: &random) ?? "0"
  }

  private mutating func string() -> String {
    "\"\(Self.strings.randomElement(using: &random) ?? "")\""
  }

  /// Replaces the board by a consistent one of another shape.
  private mutating func reshaped(_ line: String) -> String {
    guard var tree = JSONTree(line), tree["board"] != nil else { return changed(line) }
    let sides = [1, 2, 3, 4, 9, 15, 19]
    let rows = sides.randomElement(using: &random) ?? 3
    let columns = sides.randomElement(using: &random) ?? 3
    tree["rows"] = .leaf("\(rows)")
    tree["cols"] = .leaf("\(columns)")
    tree["inARow"] = .leaf(
      ["1", "3", "5", "9007199254740991"].randomElement(using: &random) ?? "3")
    var board: [JSONTree] = []
    for _ in 0..<rows {
      let marks = (0..<columns).map { _ in "XO..".randomElement(using: &random) ?? "." }
      board.append(.leaf("\"\(String(marks))\""))
    }
    tree["board"] = .array(board)
    return tree.text
  }

  /// The same event from another player. For an event with players, also the opponent's absence.
  private func flood(of line: String, _ number: Int) -> [[UInt8]] {
    guard var tree = JSONTree(line) else { return [Array(line.utf8)] }
    tree["from"] = .leaf("\"player \(number)\"")
    tree["text"] = .leaf("\"remark \(number)\"")
    guard tree["players"] != nil else { return [Array(tree.text.utf8)] }
    tree["players"] = JSONTree("{\"X\":\"ann\",\"O\":\"player \(number)\"}")
    let away = #"{"type":"presenceDidChange","match":"m","seq":1,"mark":"O","online":false}"#
    return [Array(tree.text.utf8), Array(away.utf8)]
  }

  /// Bytes that may not be JSON or UTF-8.
  private mutating func bytes(of line: String) -> [UInt8] {
    var bytes = Array(line.utf8)
    let offset = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[offset] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(offset...)
    case 2: bytes.insert(contentsOf: bytes[offset...], at: offset)
    case 3: bytes = (0..<offset).map { _ in UInt8.random(in: 0...255, using: &random) }
    default:
      bytes.insert(contentsOf: Array(repeating: UInt8(ascii: " "), count: 70_000), at: offset)
    }
    return bytes
  }

  private mutating func anyLine() -> String {
    (transcripts.randomElement(using: &random) ?? []).randomElement(using: &random) ?? "{}"
  }
}
