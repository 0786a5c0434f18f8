/// A text that is compared character by character, as the protocol compares. Two of `String` are
/// also equal where they are canonically equivalent, and 4 kB of a client's can make finding that
/// out take milliseconds.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (one: ExactText, other: ExactText) -> Bool {
    let (one, other) = (one.text.utf8, other.text.utf8)
    guard one.count == other.count else { return false }
    // Compared step by step it would cost ten times as much.
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
