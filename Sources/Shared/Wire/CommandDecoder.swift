/// Reads the lines of clients, in JSON and in words. One decoder serves line after line, of all
/// connections: once its scratch has grown, a line without an `id` or a long string costs no
/// allocation.
package struct CommandDecoder {
  private var reader = JSONReader()
  /// One for each field of the command, in the order of its form.
  private var values: [FieldValue] = []

  package init() {}

  /// Reads a line, without its LF; `nil` where it is blank. Its length is the framer's business.
  ///
  /// - Throws: where several errors fit, the first of the protocol's list.
  package mutating func decode(_ line: Span<UInt8>) throws(LineError) -> Request? {
    var start = 0
    var end = line.count
    while start < end, Self.isBlank(line[start]) { start += 1 }
    while start < end, Self.isBlank(line[end - 1]) { end -= 1 }
    guard start < end else { return nil }
    reader.load(line.extracting(start..<end))
    return line[start] == UInt8(ascii: "{") ? try decodeJSON() : try decodeWords()
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private mutating func decodeJSON() throws(LineError) -> Request {
    do { try reader.readObject() } catch { throw LineError(.badJSON) }
    let (id, idIsBad) = readID()
    guard let type = reader.value(.type) else {
      throw LineError(.missingField, field: "type", id: id)
    }
    guard case .string(let name) = type else { throw LineError(.badField, field: "type", id: id) }
    guard let form = form(name) else { throw LineError(.unknownType, id: id) }
    values.removeAll(keepingCapacity: true)
    for field in form.fields {
      values.append(reader.value(field.name).map { value($0, as: field.kind) } ?? .absent)
    }
    try requireFields(of: form, id: id)
    guard !idIsBad else { throw LineError(.badField, field: "id") }
    try refuseBadFields(of: form, id: id)
    return Request(id: id, command(form.type))
  }

  private func readID() -> (id: RequestID?, isBad: Bool) {
    guard let node = reader.value(.id) else { return (nil, false) }
    let id = reader.requestID(node)
    return (id, id == nil)
  }

  private mutating func decodeWords() throws(LineError) -> Request {
    guard UTF8Sequence.isValid(reader.bytes) else { throw LineError(.badJSON) }
    var words = Words(end: reader.end)
    guard let first = words.next(in: reader.bytes), !first.isLeftOut else {
      throw LineError(.missingField, field: "type")
    }
    guard !first.isBroken, let form = form(first.text) else { throw LineError(.unknownType) }
    values.removeAll(keepingCapacity: true)
    for field in form.fields {
      values.append(words.next(in: reader.bytes).map { value($0, as: field.kind) } ?? .absent)
    }
    try requireFields(of: form, id: nil)
    try refuseBadFields(of: form, id: nil)
    guard words.next(in: reader.bytes) == nil else { throw LineError(.badField) }
    return Request(command(form.type))
  }

  private func value(_ word: Word, as kind: CommandField.Kind) -> FieldValue {
    guard !word.isLeftOut else { return .absent }
    guard !word.isBroken else { return .bad }
    switch kind {
    case .string, .choice:
      return value(.string(word.text), as: kind)
    case .integer, .count:
      var position = word.text.range.lowerBound
      guard let number = JSONNumber.read(reader.bytes, at: &position),
        position == word.text.range.upperBound
      else { return .bad }
      return value(number, as: kind)
    }
  }

  private func form(_ name: JSONText) -> CommandForm? {
    let forms = CommandForm.all
    for index in forms.indices where reader.isText(name, forms[index].name) { return forms[index] }
    return nil
  }

  private func value(_ node: JSONNode, as kind: CommandField.Kind) -> FieldValue {
    switch (kind, node) {
    case (.string, .string(let text)):
      return .text(text)
    case (.integer, .integer(let integer)):
      return .integer(integer)
    case (.count, .integer(let integer)) where integer >= 0:
      return .integer(integer)
    case (.choice(let names), .string(let text)):
      return names.firstIndex { reader.isText(text, $0) }.map(FieldValue.choice) ?? .bad
    case (.string, _), (.integer, _), (.count, _), (.choice, _):
      return .bad
    }
  }

  private func requireFields(of form: CommandForm, id: RequestID?) throws(LineError) {
    for (index, field) in form.fields.enumerated() where !field.isOptional {
      if case .absent = values[index] {
        throw LineError(.missingField, field: field.name.text, id: id)
      }
    }
  }

  private func refuseBadFields(of form: CommandForm, id: RequestID?) throws(LineError) {
    for (index, field) in form.fields.enumerated() {
      if case .bad = values[index] { throw LineError(.badField, field: field.name.text, id: id) }
    }
  }

  /// The command of the values, which are those of its form, complete and good.
  private func command(_ type: CommandType) -> Command {
    switch type {
    case .login: .login(name: string(0), password: string(1))
    case .start: .start(opponent: string(0), game: string(1))
    case .cancel: .cancel
    case .place: .place(Cell(row: requiredInteger(0), column: requiredInteger(1)), seq: integer(2))
    case .resign: .resign
    case .leave: .leave
    case .list: .list(choice(0) ?? .players)
    case .ping: .ping
    case .help: .help(choice(0))
    case .quit: .quit
    }
  }

  private func string(_ field: Int) -> String? {
    guard case .text(let text) = values[field] else { return nil }
    return reader.string(text)
  }

  private func integer(_ field: Int) -> Int? {
    guard case .integer(let integer) = values[field] else { return nil }
    return integer
  }

  private func requiredInteger(_ field: Int) -> Int {
    guard let integer = integer(field) else { preconditionFailure("a required field is there") }
    return integer
  }

  private func choice<Choice: CaseIterable>(_ field: Int) -> Choice?
  where Choice.AllCases.Index == Int {
    guard case .choice(let index) = values[field] else { return nil }
    return Choice.allCases[index]
  }
}
