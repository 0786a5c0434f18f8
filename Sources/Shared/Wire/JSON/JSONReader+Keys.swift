extension JSONReader {
  /// The maximum number of keys of an object that are compared pair by pair; more keys are compared
  /// by their hashes. Pair by pair, a line full of keys would take a quarter of a million
  /// comparisons.
  private static let maxPairwiseKeys = 16

  /// The value of a key of an object; `nil` if the key is absent or its value is `null`.
  func value(_ name: JSONName, in object: Int = 0) -> JSONNode? {
    index(of: name, in: object).map { nodes[$0] }
  }

  /// The index of that value.
  func index(of name: JSONName, in object: Int) -> Int? {
    let nodes = nodes.span
    guard case .object(let end) = nodes[object] else { return nil }
    var key = object + 1
    while key < end {
      if case .string(let text) = nodes[key], isText(text, name) {
        if case .null = nodes[key + 1] { return nil }
        return key + 1
      }
      key = next(after: key + 1)
    }
    return nil
  }

  /// The index of the next node after this one and its contents.
  @inline(__always)
  func next(after index: Int) -> Int {
    switch nodes[index] {
    case .object(let end), .array(let end): end
    case .null, .bool, .integer, .number, .string: index + 1
    }
  }

  @inline(__always)
  func isText(_ text: JSONText, _ name: JSONName) -> Bool {
    guard text.head == name.head, Int(text.count) == name.count else { return false }
    return name.count <= 8 || bytes[text.range].elementsEqual(name.text.utf8)
  }

  func string(_ text: JSONText) -> String {
    String(decoding: bytes[text.range], as: UTF8.self)
  }

  /// Whether two keys of a parsed object are the same.
  func hasRepeatedKey(_ object: Int) -> Bool {
    guard case .object(let end) = nodes[object] else { return false }
    var count = 0
    var key = object + 1
    while key < end {
      count += 1
      guard count <= Self.maxPairwiseKeys else { return hasRepeatedHash(object) }
      if case .string(let text) = nodes[key], isKey(text, between: object + 1, and: key) {
        return true
      }
      key = next(after: key + 1)
    }
    return false
  }

  /// Whether a key occurs between two indices.
  private func isKey(_ text: JSONText, between first: Int, and last: Int) -> Bool {
    var key = first
    while key < last {
      if case .string(let other) = nodes[key], isSame(text, other) { return true }
      key = next(after: key + 1)
    }
    return false
  }

  private func hasRepeatedHash(_ object: Int) -> Bool {
    guard case .object(let end) = nodes[object] else { return false }
    var keys: [(hash: UInt64, text: JSONText)] = []
    var key = object + 1
    while key < end {
      if case .string(let text) = nodes[key] { keys.append((hash(text), text)) }
      key = next(after: key + 1)
    }
    keys.sort { $0.hash < $1.hash }
    for later in keys.indices {
      var earlier = later - 1
      while earlier >= 0, keys[earlier].hash == keys[later].hash {
        if isSame(keys[earlier].text, keys[later].text) { return true }
        earlier -= 1
      }
    }
    return false
  }

  private func isSame(_ one: JSONText, _ other: JSONText) -> Bool {
    guard one.head == other.head, one.count == other.count else { return false }
    return one.count <= 8 || bytes[one.range].elementsEqual(bytes[other.range])
  }

  /// FNV-1a, 64 bits.
  private func hash(_ text: JSONText) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in text.range { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}
