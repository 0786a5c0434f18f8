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
    var string = string
    string.withUTF8 { utf8 in
      append(addingCapacity: 6 * utf8.count + 2) { $0.append(quoted: utf8) }
    }
  }

  /// Appends the name of a type, which is plain.
  mutating func append(type: String) {
    var type = type
    type.withUTF8 { utf8 in
      append(addingCapacity: utf8.count + 12) { output in
        output.append(json: "{\"type\":\"")
        output.append(copyOf: utf8)
        output.append(UInt8(ascii: "\""))
      }
    }
  }
}

extension [UInt8] {
  /// Appends `,"name":`, to which the value is appended next.
  mutating func append(field name: StaticString) {
    append(addingCapacity: name.utf8CodeUnitCount + 4) { output in
      output.append(json: ",\"")
      output.append(json: name)
      output.append(json: "\":")
    }
  }

  package mutating func append(_ name: StaticString, _ string: String?) {
    guard let string else { return }
    append(field: name)
    append(quoted: string)
  }

  package mutating func append(_ name: StaticString, _ number: Int?) {
    guard let number else { return }
    append(field: name)
    append(decimal: number)
  }

  /// Appends a time in milliseconds.
  mutating func append(_ name: StaticString, _ time: Duration?) {
    append(name, time?.milliseconds)
  }

  mutating func append(_ name: StaticString, _ mark: Mark?) {
    guard let mark else { return }
    append(field: name)
    append(addingCapacity: 3) { $0.append(mark) }
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
