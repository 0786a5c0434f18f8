/// Values and fields of JSON.
extension LineWriter {
  @inline(__always)
  mutating func put(_ truth: Bool) {
    if truth { put("true") } else { put("false") }
  }

  @inline(__always)
  mutating func put(_ mark: Mark) {
    put(UInt8(ascii: "\""))
    put(mark.rawValue)
    put(UInt8(ascii: "\""))
  }
}

/// Fields; one without a value is left out.
extension LineWriter {
  @inline(__always)
  package mutating func put(_ name: StaticString, _ string: String?) {
    guard let string else { return }
    put(field: name)
    put(quoted: string)
  }

  @inline(__always)
  mutating func put(_ name: StaticString, plain string: String?) {
    guard let string else { return }
    put(field: name)
    put(plain: string)
  }

  @inline(__always)
  package mutating func put(_ name: StaticString, _ number: Int?) {
    guard let number else { return }
    put(field: name)
    put(number)
  }

  /// Puts a time in milliseconds.
  @inline(__always)
  mutating func put(_ name: StaticString, _ time: Duration?) {
    put(name, time?.milliseconds)
  }

  @inline(__always)
  mutating func put(_ name: StaticString, _ mark: Mark?) {
    guard let mark else { return }
    put(field: name)
    put(mark)
  }

  @inline(__always)
  mutating func put(_ name: StaticString, _ truth: Bool) {
    put(field: name)
    put(truth)
  }

  /// Puts `re` or `id`.
  @inline(__always)
  mutating func put(_ name: StaticString, _ id: RequestID?) {
    switch id {
    case .integer(let integer): put(name, integer)
    case .text(let text): put(name, text)
    case nil: break
    }
  }
}
