/// Decodes lines in JSON and in words by the grammar of their commands. Once its buffers have
/// grown, a line whose strings are short allocates nothing.
package struct LineDecoder {
  private let specs: [CommandSpec]
  /// How many of them are commands in JSON too, the first ones.
  private let jsonCount: Int
  private var reader = JSONReader()
  /// One value for each field of the command, in the order of its spec.
  private var values: [FieldValue] = []
  /// The index of the first required field that is absent, and of the first field with a bad value.
  private var missing: Int?
  private var bad: Int?

  /// `wordsOnly` are commands that are none in JSON. Their indices follow those of the others.
  package init(_ specs: [CommandSpec], wordsOnly: [CommandSpec] = []) {
    self.specs = specs + wordsOnly
    jsonCount = specs.count
  }

  /// Returns a line without white space at its ends; `nil` for a blank line.
  @inline(__always)
  static func trimmed(_ line: Span<UInt8>) -> Range<Int>? {
    var start = 0
    var end = line.count
    while start < end, isBlank(line[start]) { start += 1 }
    while start < end, isBlank(line[end - 1]) { end -= 1 }
    return start < end ? start..<end : nil
  }

  /// Decodes a line, without its LF. Returns `nil` for a blank line. The framer has checked the
  /// length. The values of the line's fields can be read until the next call.
  ///
  /// - Throws: the first error of the protocol's list that applies.
  package mutating func decode(_ line: Span<UInt8>) throws(LineError) -> DecodedLine? {
    guard let range = Self.trimmed(line) else { return nil }
    return try decode(trimmed: line.extracting(range))
  }

  /// Decodes a line that does not begin or end with white space, and is not empty.
  mutating func decode(trimmed line: Span<UInt8>) throws(LineError) -> DecodedLine {
    reader.load(line)
    return line[0] == UInt8(ascii: "{") ? try decodeJSON(line) : try decodeWords(line)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private mutating func decodeJSON(_ line: Span<UInt8>) throws(LineError) -> DecodedLine {
    do { try reader.readObject(line) } catch { throw LineError(.badJSON) }
    let (id, idIsBad) = readID()
    guard let typeNode = reader.value(.type) else {
      throw LineError(
        .missingField, field: "type", id: id, hint: hint(for: [.required(.type, .string)]))
    }
    guard case .string(let name) = typeNode else {
      throw idIsBad ? Self.badID : LineError(.badField, field: "type", id: id)
    }
    guard let spec = specIndex(name) else {
      throw unknownType(reader.string(name), among: specs[..<jsonCount], id: id)
    }
    let fields = specs[spec].fields
    reset()
    for index in fields.indices {
      let node = reader.value(fields[index].name)
      append(node.map { value($0, as: fields[index].kind) } ?? .absent, for: fields[index])
    }
    let hint = hint(for: fields)
    if let missing { throw fields[missing].missing(in: specs[spec], id: id, hint: hint) }
    guard !idIsBad else { throw Self.badID }
    if let bad { throw fields[bad].bad(in: specs[spec], id: id, hint: hint) }
    return DecodedLine(spec: spec, id: id, hint: hint)
  }

  /// The error for a command that there is not. It repeats the word, and guesses what was meant.
  private func unknownType(
    _ word: String, among specs: ArraySlice<CommandSpec>, id: RequestID?
  ) -> LineError {
    guard let quoted = word.quoted else { return LineError(.unknownType, id: id) }
    let meant = Self.meaning(of: word) ?? word.likely(among: specs.map(\.name.text))
    let likely = meant.map { " Did you mean \($0)?" } ?? ""
    return LineError(
      .unknownType, id: id,
      message: "There is no command \(quoted).\(likely) To see all commands, type: help")
  }

  /// Returns the command that a word means to people who know other games; `nil` if it has no such
  /// meaning.
  private static func meaning(of word: String) -> String? {
    let word = word.lowercased()
    if let command = synonyms[word] { return command }
    guard word.count <= 3,
      word.utf8.last.map({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) == true
    else { return nil }
    return "place \(word)"
  }

  private static let synonyms = [
    "?": "help", "q": "quit", "exit": "quit", "bye": "quit", "logout": "quit", "play": "start",
    "new": "start", "move": "place", "chat": "say", "tell": "say", "surrender": "resign",
    "games": "list games", "players": "list", "who": "list", "matches": "list matches",
  ]

  /// Returns the hint for the fields of the line that are not those of its command.
  private func hint(for fields: [FieldSpec]) -> String? {
    guard reader.hasKey(besides: fields) else { return nil }
    return FieldHint.sentence(for: reader, fields, of: specs)
  }

  private static let badID = LineError(
    .badField, field: "id",
    message: "id must be an integer or a string of 1 to \(ProtocolLimits.maxIDLength) characters.")

  private func readID() -> (id: RequestID?, isBad: Bool) {
    guard let node = reader.value(.id) else { return (nil, false) }
    let id = reader.requestID(node)
    return (id, id == nil)
  }

  private mutating func decodeWords(_ line: Span<UInt8>) throws(LineError) -> DecodedLine {
    guard UTF8Sequence.isValid(line) else { throw LineError(.badJSON) }
    var words = WordTokenizer()
    guard let first = words.next(in: line), !first.isOmitted else {
      throw LineError(.missingField, field: "type")
    }
    guard !first.isMalformed, let spec = specIndex(ofWord: line.extracting(first.range)) else {
      throw unknownType(text(of: first), among: specs[...], id: nil)
    }
    let fields = specs[spec].fields
    reset()
    var badWord: Word?
    while values.count < fields.count {
      let field = fields[values.count]
      let word = field.kind.isRest ? words.rest(of: line) : words.next(in: line)
      if case .row = field.kind, let word, let cell = cell(in: line, word) {
        append(.integer(cell.row), for: field)
        append(.integer(cell.column), for: fields[values.count])
        continue
      }
      append(word.map { value($0, in: line, as: field.kind) } ?? .absent, for: field)
      if bad == values.count - 1 { badWord = badWord ?? word }
    }
    let read = badWord.map { text(of: $0) }
    if let missing {
      throw fields[missing].missing(
        in: specs[spec], id: nil, after: bad.flatMap { $0 < missing ? fields[$0] : nil }, read)
    }
    if let bad { throw fields[bad].bad(in: specs[spec], id: nil, word: read) }
    guard words.next(in: line) == nil else {
      throw LineError(
        .badField,
        message: "There is one word too many. Put a value with spaces in double quotes."
          + " Type: help \(specs[spec].name.text)")
    }
    return DecodedLine(spec: spec, id: nil)
  }

  private func text(of word: Word) -> String { reader.string(reader.text(word.range)) }

  /// Reads a cell by the letter of its column and the number of its row, which count from `a1`. The
  /// cell need not be on any board. `nil` for any other word.
  private func cell(in line: Span<UInt8>, _ word: Word) -> Cell? {
    guard !word.isMalformed, (2...10).contains(word.range.count) else { return nil }
    if let cell = Cell(label: text(of: word)) { return cell }
    let letter = line[word.range.lowerBound] | 0x20
    guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else { return nil }
    // A row that no board has.
    var position = word.range.lowerBound + 1
    guard case .integer(let row)? = JSONNumber.read(line, at: &position), row >= 0,
      position == word.range.upperBound
    else { return nil }
    return Cell(row: row - 1, column: Int(letter - UInt8(ascii: "a")))
  }

  private func value(
    _ word: Word, in line: Span<UInt8>, as kind: FieldSpec.Kind
  ) -> FieldValue {
    guard !word.isOmitted else { return .absent }
    guard !word.isMalformed else { return .bad }
    switch kind {
    case .string, .freeText, .password, .choice:
      return value(.string(reader.text(word.range)), as: kind)
    case .integer, .row, .count:
      var position = word.range.lowerBound
      guard let number = JSONNumber.read(line, at: &position),
        position == word.range.upperBound
      else { return .bad }
      return value(number, as: kind)
    }
  }

  /// The index of a command's spec in the table.
  private func specIndex(_ name: JSONText) -> Int? {
    for index in 0..<jsonCount where reader.isText(name, specs[index].name) { return index }
    return nil
  }

  /// The same for a word, whose ASCII letters may be in any case.
  private func specIndex(ofWord word: Span<UInt8>) -> Int? {
    specs.firstIndex { spec in
      let name = spec.name.text.utf8
      guard name.count == word.count else { return false }
      // All names are lower-case letters.
      return zip(name, 0..<word.count).allSatisfy { $0 == word[$1] | 0x20 }
    }
  }

  private mutating func reset() {
    values.removeAll(keepingCapacity: true)
    missing = nil
    bad = nil
  }

  private mutating func append(_ value: FieldValue, for field: FieldSpec) {
    switch value {
    case .absent: if !field.isOptional, missing == nil { missing = values.count }
    case .bad: if bad == nil { bad = values.count }
    case .integer, .text, .choice: break
    }
    values.append(value)
  }

  private func value(_ node: JSONNode, as kind: FieldSpec.Kind) -> FieldValue {
    switch (kind, node) {
    case (.string, .string(let text)):
      return .text(text)
    case (.freeText, .string(let text)):
      return Self.isFreeText(reader.string(text)) ? .text(text) : .bad
    case (.password, .string(let text)):
      return Command.isPassword(reader.string(text)) ? .text(text) : .bad
    case (.integer, .integer(let integer)), (.row, .integer(let integer)):
      return .integer(integer)
    case (.count, .integer(let integer)) where integer >= 0:
      return .integer(integer)
    case (.choice(let names), .string(let text)):
      return names.firstIndex { reader.isText(text, $0) }.map(FieldValue.choice) ?? .bad
    case (.string, _), (.freeText, _), (.password, _), (.integer, _), (.row, _), (.count, _),
      (.choice, _):
      return .bad
    }
  }

  private static func isFreeText(_ text: String) -> Bool {
    text.isVisible(ofLength: 1...ProtocolLimits.maxMessageLength)
  }

  /// The value of a field of the last line, which is a text; `nil` if it is absent.
  package func string(_ field: Int) -> String? {
    guard case .text(let text) = values[field] else { return nil }
    return reader.string(text)
  }

  package func requiredString(_ field: Int) -> String {
    guard let string = string(field) else { preconditionFailure("A required field is missing.") }
    return string
  }

  package func integer(_ field: Int) -> Int? {
    guard case .integer(let integer) = values[field] else { return nil }
    return integer
  }

  func requiredInteger(_ field: Int) -> Int {
    guard let integer = integer(field) else { preconditionFailure("A required field is missing.") }
    return integer
  }

  /// The index of the value of a field among its choices; `nil` if it is absent.
  package func choiceIndex(_ field: Int) -> Int? {
    guard case .choice(let index) = values[field] else { return nil }
    return index
  }

  /// The value of a field of the last line, which is one of the cases; `nil` if it is absent.
  package func choice<Choice: CaseIterable>(_ field: Int) -> Choice?
  where Choice.AllCases.Index == Int {
    choiceIndex(field).map { Choice.allCases[$0] }
  }
}

/// A line whose command is known. The decoder has the values of its fields.
package struct DecodedLine {
  /// The index of the command in the decoder's table.
  package let spec: Int
  /// `nil` if the reply has no `re`.
  package let id: RequestID?
  /// A sentence about fields that are probably misspelled; `nil` if none is.
  var hint: String?
}

/// The value of one field of a command.
enum FieldValue {
  case absent
  /// There is a value, but the field does not allow it.
  case bad
  case integer(Int)
  case text(JSONText)
  /// The index among the choices of the field.
  case choice(Int)
}
