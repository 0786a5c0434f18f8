import Shared

/// Where a server is, as one word says it: `HOST`, `HOST:PORT`, `[IPv6]` or `[IPv6]:PORT`. Several
/// colons without brackets are an IPv6 address, with no port behind it.
struct HostOperand: Equatable {
  let host: String
  /// `nil`: the usual one.
  let port: UInt16?

  init(_ text: String) throws(UsageError) {
    var host = Substring(text)
    var digits: Substring?
    if text.hasPrefix("["), let end = text.lastIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { throw Self.error(text) }
      digits = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
      host = text[..<colon]
      digits = text[text.index(after: colon)...]
    }
    port = digits.flatMap { Self.port($0) }
    guard !host.isEmpty, digits == nil || port != nil else { throw Self.error(text) }
    self.host = String(host)
  }

  /// Digits only, and not 0.
  static func port(_ text: Substring) -> UInt16? {
    guard text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    return UInt16(text).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func error(_ text: String) -> UsageError {
    UsageError(
      "“\(text)” cannot be understood: it is HOST, HOST:PORT or [IPV6]:PORT,"
        + " and a port is a number from 1 to 65535.")
  }
}
