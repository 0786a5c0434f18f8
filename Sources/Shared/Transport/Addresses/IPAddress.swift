#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An IPv4 or IPv6 address without a port. An IPv4 address equals the same address mapped into IPv6
/// (`::ffff:1.2.3.4`, RFC 4291).
package struct IPAddress: Hashable, Sendable, BitwiseCopyable {
  /// The IPv6 loopback address, `::1`.
  package static let loopback = IPAddress(high: 0, low: 1)

  /// The bits of a mapped address between the zeros and the IPv4 address.
  private static let mapped: UInt64 = 0xffff

  // The 128 bits of IPv6.
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(ipv4 bits: UInt32) {
    self.init(high: 0, low: Self.mapped << 32 | UInt64(bits))
  }

  /// Makes an address from the 16 bytes of an IPv6 address or the 4 bytes of an IPv4 address, in
  /// network order. `nil` for another number of bytes.
  package init?(_ bytes: some Collection<UInt8>) {
    switch bytes.count {
    case 4:
      self.init(ipv4: UInt32(truncatingIfNeeded: Self.number(bytes)))
    case 16:
      self.init(high: Self.number(bytes.prefix(8)), low: Self.number(bytes.dropFirst(8)))
    default: return nil
    }
  }

  /// Parses a numeric address, such as 1.2.3.4 or 2001:db8::12.
  package init?(_ text: String) {
    if text.utf8.contains(UInt8(ascii: ":")) {
      self.init(ipv6: text)
    } else {
      self.init(ipv4: text)
    }
  }

  /// Parses four decimal numbers with dots.
  package init?(ipv4 text: String) {
    guard let bytes = Self.parse(text, AF_INET, count: 4) else { return nil }
    self.init(bytes)
  }

  package init?(ipv6 text: String) {
    guard let bytes = Self.parse(text, AF_INET6, count: 16) else { return nil }
    self.init(bytes)
  }

  /// The bytes in network order: 4 of an IPv4 address, 16 of an IPv6 address.
  var bytes: [UInt8] {
    let all = [high, low].flatMap { half in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
    }
    return isIPv4 ? Array(all.suffix(4)) : all
  }

  /// Whether it is an IPv4 address, mapped or not.
  package var isIPv4: Bool { high == 0 && low >> 32 == Self.mapped }

  /// The smallest network that certainly belongs to one host or household: an IPv4 address itself,
  /// or the /64 of an IPv6 address, in which a host chooses its addresses freely (RFC 4862).
  package var subnet: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

  /// The /48 of an IPv6 address, which is often one household's or company's (RFC 6177); `nil` for
  /// an IPv4 address.
  package var site: IPAddress? {
    isIPv4 ? nil : IPAddress(high: high & ~0xffff, low: 0)
  }

  private static func parse(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
    // The system would read the text only up to the NUL.
    guard !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }

  private static func number(_ bytes: some Collection<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// A network: all addresses that begin with the same bits, or a single address.
package struct IPNetwork: Hashable, Sendable {
  /// The length of the prefix of the network of all IPv4 addresses.
  package static let ipv4Prefix = 96

  package let first: IPAddress
  private let mask: IPAddress

  /// The network of an address whose prefix has a length in bits of IPv6: an IPv4 address has 96
  /// bits before its own 32.
  package init(_ address: IPAddress, prefix bits: Int) {
    mask = Self.mask(bits)
    first = address & mask
  }

  /// Parses an address, or an address with the length of its network prefix in bits (CIDR, RFC
  /// 4632): `10.0.0.0/8`, `2001:db8::/32`.
  package init?(_ text: String) {
    let slash = text.firstIndex(of: "/")
    guard let address = IPAddress(String(text[..<(slash ?? text.endIndex)])) else { return nil }
    let maxBits = text.contains(":") ? 128 : 32
    var bits = maxBits
    if let slash {
      let digits = text[text.index(after: slash)...]
      guard digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(digits),
        number <= maxBits
      else { return nil }
      bits = number
    }
    mask = Self.mask(bits + 128 - maxBits)
    first = address & mask
  }

  /// The length of the prefix in bits of IPv6, from 0 to 128.
  package var prefix: Int {
    (~mask.high).leadingZeroBitCount + (mask.high == .max ? (~mask.low).leadingZeroBitCount : 0)
  }

  /// Whether it is a single address.
  package var isAddress: Bool { prefix == 128 }

  package func contains(_ address: IPAddress) -> Bool { address & mask == first }

  private static func mask(_ bits: Int) -> IPAddress {
    // A smart shift by 64 bits returns 0.
    IPAddress(high: ~(UInt64.max >> UInt64(bits)), low: ~(UInt64.max >> UInt64(max(0, bits - 64))))
  }
}

private func & (left: IPAddress, right: IPAddress) -> IPAddress {
  IPAddress(high: left.high & right.high, low: left.low & right.low)
}

extension IPNetwork: CustomStringConvertible {
  /// `10.0.0.0/8`, `2001:db8::/32`; a single address without its length: `1.2.3.4`.
  package var description: String {
    guard !isAddress else { return first.description }
    return
      "\(first)/\(first.isIPv4 && prefix >= Self.ipv4Prefix ? prefix - Self.ipv4Prefix : prefix)"
  }
}
