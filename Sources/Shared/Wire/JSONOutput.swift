/// What lines are written with: each appends, and allocates nothing but room in the array.
extension [UInt8] {
  /// Appends text that stands in this program.
  package mutating func append(json text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }

  mutating func append(_ truth: Bool) {
    append(json: truth ? "true" : "false")
  }

  mutating func append(decimal number: Int) {
    append(addingCapacity: OutputSpan.longestNumber) { $0.append(decimal: number) }
  }

  /// Appends a JSON string: characters as they are, but for those that JSON must have escaped and
  /// the control characters (Cc), which could be an escape sequence to a terminal.
  package mutating func append(quoted string: String) {
    append(addingCapacity: OutputSpan.room(of: string)) { $0.append(quoted: string) }
  }

  /// Appends the name of a type, which is plain.
  mutating func append(type: String) {
    append(addingCapacity: type.utf8.count + OutputSpan.typeRoom) { $0.append(type: type) }
  }
}

extension [UInt8] {
  /// Appends `,"name":`, to which the value is appended next.
  mutating func append(field name: StaticString) {
    append(addingCapacity: OutputSpan.room(ofField: name)) { $0.append(field: name) }
  }

  package mutating func append(_ name: StaticString, _ string: String?) {
    guard let string else { return }
    append(addingCapacity: OutputSpan.room(ofField: name) + OutputSpan.room(of: string)) {
      $0.append(name, string)
    }
  }

  package mutating func append(_ name: StaticString, _ number: Int?) {
    guard let number else { return }
    append(addingCapacity: OutputSpan.room(ofField: name) + OutputSpan.longestNumber) {
      $0.append(name, number)
    }
  }

  /// Appends `re` or `id`.
  mutating func append(_ name: StaticString, _ id: RequestID?) {
    switch id {
    case .integer(let integer): append(name, integer)
    case .text(let text): append(name, text)
    case nil: break
    }
  }
}
