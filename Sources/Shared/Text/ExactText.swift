/// A text that is compared character by character, as the protocol requires. Two values of `String`
/// are also equal if they are canonically equivalent. Checking that can take milliseconds for 4 kB
/// of text from a client.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (one: ExactText, other: ExactText) -> Bool {
    let (one, other) = (one.text.utf8, other.text.utf8)
    guard one.count == other.count else { return false }
    // Comparing byte by byte would take ten times as long.
    let areEqual = one.withContiguousStorageIfAvailable { one in
      other.withContiguousStorageIfAvailable { other in
        one.elementsEqual(other)
      }
    }
    return (areEqual ?? nil) ?? one.elementsEqual(other)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
