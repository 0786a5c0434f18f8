/// Finds the fields of a line that its command does not have, and that are probably misspellings of
/// ones that it has and the line lacks.
enum FieldHint {
  /// How many of the fields that are not known are looked at. A line can have hundreds.
  private static let maxFields = 8

  /// Returns a sentence for each of them; `nil` if there is none. A name that some other of the
  /// commands has is spelled rightly.
  static func sentence(
    for reader: JSONReader, _ fields: [FieldSpec], of specs: [CommandSpec]
  ) -> String? {
    var lacking = (fields.map(\.name) + [.id]).filter { reader.value($0) == nil }.map(\.text)
    var sentences: [String] = []
    for key in reader.keys(besides: fields).prefix(maxFields) {
      let name = reader.string(key)
      guard !specs.contains(where: { $0.fields.contains { reader.isText(key, $0.name) } }),
        let quoted = name.quoted, let likely = name.likely(among: lacking)
      else { continue }
      sentences.append("The field \(quoted) was ignored. Did you mean \(likely)?")
      lacking.removeAll { $0 == likely }
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }
}

extension JSONReader {
  /// Whether the object of the line has a key besides `type`, `id` and those of some fields.
  func hasKey(besides fields: [FieldSpec]) -> Bool {
    var isFound = false
    forEachKey { key, _ in
      if !isFound, !isKnown(key, fields) { isFound = true }
    }
    return isFound
  }

  /// Those keys whose value is not `null`.
  func keys(besides fields: [FieldSpec]) -> [JSONText] {
    var keys: [JSONText] = []
    forEachKey { key, value in
      if case .null = value { return }
      if !isKnown(key, fields) { keys.append(key) }
    }
    return keys
  }

  private func isKnown(_ key: JSONText, _ fields: [FieldSpec]) -> Bool {
    isText(key, .type) || isText(key, .id) || fields.contains { isText(key, $0.name) }
  }

  private func forEachKey(_ body: (_ key: JSONText, _ value: JSONNode) -> Void) {
    guard case .object(let end) = nodes[0] else { return }
    var index = 1
    while index < end {
      if case .string(let key) = nodes[index] { body(key, nodes[index + 1]) }
      index = next(after: index + 1)
    }
  }
}
