/// A JSON object of a line, read field by field. A field that is `null` counts as absent. Each
/// method that throws throws a `LineError` with the name of the field: `missingField`, or
/// `badField` for a value of the wrong type.
struct JSONObject {
  private let reader: JSONReader
  private let object: Int

  /// The object of the line.
  init(_ reader: JSONReader) {
    self.init(reader, 0)
  }

  private init(_ reader: JSONReader, _ object: Int) {
    self.reader = reader
    self.object = object
  }

  /// Whether a field is present and not `null`.
  func has(_ name: JSONName) -> Bool { reader.index(of: name, in: object) != nil }

  func string(_ name: JSONName) throws(LineError) -> String {
    try required(name, try stringIfPresent(name))
  }

  func stringIfPresent(_ name: JSONName) throws(LineError) -> String? {
    guard let node = reader.value(name, in: object) else { return nil }
    guard case .string(let text) = node else { throw LineError(.badField, field: name.text) }
    return reader.string(text)
  }

  func integer(_ name: JSONName) throws(LineError) -> Int {
    try required(name, try integerIfPresent(name))
  }

  func integerIfPresent(_ name: JSONName) throws(LineError) -> Int? {
    guard let node = reader.value(name, in: object) else { return nil }
    guard case .integer(let integer) = node else { throw LineError(.badField, field: name.text) }
    return integer
  }

  /// A number of milliseconds. All times on the wire are in this unit.
  func durationIfPresent(_ name: JSONName) throws(LineError) -> Duration? {
    guard let milliseconds = try integerIfPresent(name) else { return nil }
    guard milliseconds >= 0 else { throw LineError(.badField, field: name.text) }
    return .milliseconds(milliseconds)
  }

  func bool(_ name: JSONName) throws(LineError) -> Bool {
    try required(name, try boolIfPresent(name))
  }

  func boolIfPresent(_ name: JSONName) throws(LineError) -> Bool? {
    switch reader.value(name, in: object) {
    case nil: return nil
    case .bool(let truth): return truth
    default: throw LineError(.badField, field: name.text)
    }
  }

  /// A string that is the raw value of a case.
  func choice<Choice: RawRepresentable<String>>(_ name: JSONName) throws(LineError) -> Choice {
    try required(name, try choiceIfPresent(name))
  }

  func choiceIfPresent<Choice: RawRepresentable<String>>(
    _ name: JSONName
  ) throws(LineError) -> Choice? {
    guard let value = try stringIfPresent(name) else { return nil }
    guard let choice = Choice(rawValue: value) else {
      throw LineError(.badField, field: name.text)
    }
    return choice
  }

  func requestIDIfPresent(_ name: JSONName) throws(LineError) -> RequestID? {
    guard let node = reader.value(name, in: object) else { return nil }
    guard let id = reader.requestID(node) else { throw LineError(.badField, field: name.text) }
    return id
  }

  func object(_ name: JSONName) throws(LineError) -> JSONObject {
    let index = try required(name, reader.index(of: name, in: object))
    guard case .object = reader.nodes[index] else { throw LineError(.badField, field: name.text) }
    return JSONObject(reader, index)
  }

  func objects(_ name: JSONName) throws(LineError) -> [JSONObject] {
    var objects: [JSONObject] = []
    for index in try elements(name) {
      guard case .object = reader.nodes[index] else { throw LineError(.badField, field: name.text) }
      objects.append(JSONObject(reader, index))
    }
    return objects
  }

  func strings(_ name: JSONName) throws(LineError) -> [String] {
    var strings: [String] = []
    for index in try elements(name) {
      guard case .string(let text) = reader.nodes[index] else {
        throw LineError(.badField, field: name.text)
      }
      strings.append(reader.string(text))
    }
    return strings
  }

  /// An array of pairs, `[[0,0],[1,1]]`, each a row and a column; `nil` if it is absent.
  func cellsIfPresent(_ name: JSONName) throws(LineError) -> [Cell]? {
    guard reader.index(of: name, in: object) != nil else { return nil }
    var cells: [Cell] = []
    for index in try elements(name) {
      guard case .array(end: index + 3) = reader.nodes[index],
        case .integer(let row) = reader.nodes[index + 1],
        case .integer(let column) = reader.nodes[index + 2],
        BoardShape.coordinates.contains(row), BoardShape.coordinates.contains(column)
      else { throw LineError(.badField, field: name.text) }
      cells.append(Cell(row: row, column: column))
    }
    return cells
  }

  private func elements(_ name: JSONName) throws(LineError) -> [Int] {
    let array = try required(name, reader.index(of: name, in: object))
    guard case .array(let end) = reader.nodes[array] else {
      throw LineError(.badField, field: name.text)
    }
    var elements: [Int] = []
    var index = array + 1
    while index < end {
      elements.append(index)
      index = reader.next(after: index)
    }
    return elements
  }

  func required<Value>(_ name: JSONName, _ value: Value?) throws(LineError) -> Value {
    guard let value else { throw LineError(.missingField, field: name.text) }
    return value
  }
}
