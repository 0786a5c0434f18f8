#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A text that is compared character by character, as the protocol requires. Two values of `String`
/// are also equal if they are canonically equivalent. Checking that can take milliseconds for 4 kB
/// of text from a client.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (one: ExactText, other: ExactText) -> Bool {
    guard one.text.utf8.count == other.text.utf8.count else { return false }
    var (one, other) = (one.text, other.text)
    return one.withUTF8 { one in
      other.withUTF8 { other in
        // Without a byte there is no address either.
        guard let one = one.baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(one, otherStart, other.count) == 0
      }
    }
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
