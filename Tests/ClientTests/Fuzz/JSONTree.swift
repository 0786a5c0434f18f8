/// A line of JSON as a tree whose parts can be replaced. It keeps the order of the fields and allows
/// duplicates.
indirect enum JSONTree {
  case object([(key: String, value: JSONTree)])
  case array([JSONTree])
  /// The source text of any other value. A string includes its quotes.
  case leaf(String)

  /// Returns `nil` if the text is not JSON.
  init?(_ text: String) {
    var rest = text[...]
    guard let tree = Self.read(&rest), rest.isEmpty else { return nil }
    self = tree
  }

  var text: String {
    switch self {
    case .object(let fields):
      "{" + fields.map { "\($0.key):\($0.value.text)" }.joined(separator: ",") + "}"
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .leaf(let text): text
    }
  }

  /// The number of nodes in this tree.
  var count: Int { 1 + children.reduce(0) { $0 + $1.count } }

  private var children: [JSONTree] {
    switch self {
    case .object(let fields): fields.map(\.value)
    case .array(let elements): elements
    case .leaf: []
    }
  }

  /// The node with a number in depth-first order. The root is 0.
  subscript(number: Int) -> JSONTree {
    get {
      guard number > 0 else { return self }
      var number = number - 1
      for child in children {
        if number < child.count { return child[number] }
        number -= child.count
      }
      return self
    }
    set {
      guard number > 0 else {
        self = newValue
        return
      }
      var number = number - 1
      for (index, child) in children.enumerated() {
        guard number >= child.count else {
          var child = child
          child[number] = newValue
          return replace(index, by: child)
        }
        number -= child.count
      }
    }
  }

  /// The value of a field. Setting an absent field has no effect.
  subscript(field: String) -> JSONTree? {
    get {
      guard case .object(let fields) = self else { return nil }
      return fields.first { $0.key == "\"\(field)\"" }?.value
    }
    set {
      guard case .object(let fields) = self, let newValue,
        let index = fields.firstIndex(where: { $0.key == "\"\(field)\"" })
      else { return }
      replace(index, by: newValue)
    }
  }

  private mutating func replace(_ index: Int, by child: JSONTree) {
    switch self {
    case .object(var fields):
      fields[index].value = child
      self = .object(fields)
    case .array(var elements):
      elements[index] = child
      self = .array(elements)
    case .leaf: break
    }
  }

  private static func read(_ rest: inout Substring) -> JSONTree? {
    switch rest.first {
    case "{":
      var fields: [(key: String, value: JSONTree)] = []
      rest.removeFirst()
      while !take("}", &rest) {
        guard fields.isEmpty || take(",", &rest), case .leaf(let key) = readLeaf(&rest),
          take(":", &rest), let value = read(&rest)
        else { return nil }
        fields.append((key, value))
      }
      return .object(fields)
    case "[":
      var elements: [JSONTree] = []
      rest.removeFirst()
      while !take("]", &rest) {
        guard elements.isEmpty || take(",", &rest), let element = read(&rest) else { return nil }
        elements.append(element)
      }
      return .array(elements)
    default: return readLeaf(&rest)
    }
  }

  /// A string, a number or a word.
  private static func readLeaf(_ rest: inout Substring) -> JSONTree? {
    var end = rest.startIndex
    if rest.first == "\"" {
      rest.formIndex(after: &end)
      while end < rest.endIndex, rest[end] != "\"" {
        let isEscape = rest[end] == "\\"
        rest.formIndex(after: &end)
        if isEscape, end < rest.endIndex { rest.formIndex(after: &end) }
      }
      guard end < rest.endIndex else { return nil }
      rest.formIndex(after: &end)
    } else {
      while end < rest.endIndex, !",:]}".contains(rest[end]) { rest.formIndex(after: &end) }
    }
    guard end > rest.startIndex else { return nil }
    defer { rest = rest[end...] }
    return .leaf(String(rest[..<end]))
  }

  private static func take(_ character: Character, _ rest: inout Substring) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }
}
