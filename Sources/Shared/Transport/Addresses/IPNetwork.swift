/// Addresses that begin with the same bits; a single address is one, too.
package struct IPNetwork: Equatable, Sendable {
  private let first: IPAddress
  private let mask: IPAddress

  /// An address, or an address and how many of its first bits count (CIDR, RFC 4632): `10.0.0.0/8`,
  /// `2001:db8::/32`.
  package init?(_ text: String) {
    let slash = text.firstIndex(of: "/")
    guard let address = IPAddress(String(text[..<(slash ?? text.endIndex)])) else { return nil }
    let most = text.contains(":") ? 128 : 32
    var bits = most
    if let slash {
      let digits = text[text.index(after: slash)...]
      guard digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(digits),
        number <= most
      else { return nil }
      bits = number
    }
    mask = Self.mask(bits + 128 - most)
    first = address & mask
  }

  package func contains(_ address: IPAddress) -> Bool { address & mask == first }

  private static func mask(_ bits: Int) -> IPAddress {
    // A shift by all 64 bits leaves nothing.
    IPAddress(high: ~(UInt64.max >> UInt64(bits)), low: ~(UInt64.max >> UInt64(max(0, bits - 64))))
  }
}

private func & (left: IPAddress, right: IPAddress) -> IPAddress {
  IPAddress(high: left.high & right.high, low: left.low & right.low)
}
