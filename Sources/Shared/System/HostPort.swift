/// A host and a port in one word: `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`. Several colons
/// without brackets are an IPv6 address without a port.
package struct HostPort: Equatable, Sendable {
  /// Without brackets; never empty.
  package let host: String
  /// `nil` if there is none.
  package let port: UInt16?
  private let isInBrackets: Bool

  /// Parses a text; `nil` if there is no host, or a port that is no number from `lowest` to 65535.
  package init?(_ text: some StringProtocol, portFrom lowest: UInt16 = 1) {
    var (host, digits) = (text[...], text.prefix(0))
    isInBrackets = text.hasPrefix("[") && text.contains("]")
    if isInBrackets, let end = text.lastIndex(of: "]") {
      host = text[..<end].dropFirst()
      digits = text[text.index(after: end)...]
    } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
      host = text[..<colon]
      digits = text[colon...]
    }
    port = digits.first == ":" ? Self.port(digits.dropFirst(), from: lowest) : nil
    guard !host.isEmpty, digits.isEmpty || port != nil else { return nil }
    self.host = String(host)
  }

  /// Whether an IPv6 address is in brackets, and nothing else is.
  package var hasBracketsAroundIPv6: Bool {
    isInBrackets == host.contains(":") && !host.contains { "[]".contains($0) }
  }

  /// Returns a port; `nil` if the text has characters other than digits, or is not from `lowest` to
  /// 65535.
  package static func port(_ text: some StringProtocol, from lowest: UInt16 = 1) -> UInt16? {
    guard text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    return UInt16(text).flatMap { $0 >= lowest ? $0 : nil }
  }
}

/// Where a program serves something beside games.
package struct ServingAddress: Equatable, Sendable {
  package let host: String
  package let port: UInt16

  /// Parses `PORT`, for this machine only, or `HOST:PORT`. Port 0 takes a free one.
  ///
  /// - Throws: if it is neither.
  package init(_ text: String, of option: String) throws(UsageError) {
    if let port = HostPort.port(text.hasPrefix(":") ? text.dropFirst() : text[...], from: 0) {
      (host, self.port) = ("127.0.0.1", port)
      return
    }
    guard let address = HostPort(text, portFrom: 0), let port = address.port,
      address.hasBracketsAroundIPv6
    else {
      throw UsageError(
        "\(option) takes PORT, HOST:PORT or [IPV6]:PORT, with a port from 0 to 65535, not"
          + " “\(text)”."
      )
    }
    (host, self.port) = (address.host, port)
  }
}
