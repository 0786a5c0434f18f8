import Shared

/// Whom a ban keeps out.
enum BanSubject: Equatable, Sendable {
  case network(IPNetwork)
  case name(PlayerName)

  static func == (one: BanSubject, other: BanSubject) -> Bool {
    switch (one, other) {
    case (.network(let one), .network(let other)): one == other
    case (.name(let one), .name(let other)): one.key == other.key
    case (.network, .name), (.name, .network): false
    }
  }

  /// What an operator sees in the list of bans.
  var kind: String {
    switch self {
    case .network(let network): network.isAddress ? "address" : "network"
    case .name: "name"
    }
  }
}

extension BanSubject: CustomStringConvertible {
  var description: String {
    switch self {
    case .network(let network): network.description
    case .name(let name): name.text
    }
  }

  /// The subject at the beginning of a sentence. A name is called one, so that an operator who
  /// meant an address notices.
  var titled: String {
    switch self {
    case .network: description
    case .name(let name): "The name \(name.text)"
    }
  }

  var includesThisMachine: Bool {
    guard case .network(let network) = self else { return false }
    return network.contains(.loopback) || IPAddress("127.0.0.1").map(network.contains) == true
  }
}

// MARK: - The text of an operator

extension BanSubject {
  /// Marks a name, which could be an address otherwise: `name:192.0.2`.
  private static let namePrefix = "name:"

  /// Reads a network, an address with or without a port, or the name of a player. An IPv6 address
  /// means its /64, in which a host chooses its addresses freely. What looks like an address is
  /// never taken for a name.
  ///
  /// - Throws: `badField`, with what to type instead; `badName`.
  init(_ text: String, field: String = "target") throws(CommandError) {
    let text = text.trimmed
    if text.lowercased().hasPrefix(Self.namePrefix) {
      self = .name(try Self.name(String(text.dropFirst(Self.namePrefix.count)), field: field))
    } else if let address = IPAddress(text)
      ?? HostPort(text, portFrom: 0).flatMap({ IPAddress($0.host) })
    {
      self = .network(IPNetwork(address.subnet, prefix: address.isIPv4 ? 128 : 64))
    } else if let network = IPNetwork(text) {
      try Self.check(network, text, field: field)
      self = .network(network)
    } else if text.looksLikeAddress {
      throw Self.noAddress(text, field: field)
    } else {
      self = .name(try Self.name(text, field: field))
    }
  }

  /// - Throws: `badName`.
  static func name(_ text: String, field: String) throws(CommandError) -> PlayerName {
    do throws(PlayerNameError) {
      return try PlayerName(text)
    } catch {
      throw CommandError(.badName, field: field, "“\(text)” is not a name that a player can have.")
    }
  }

  /// Checks that no bit is set after those that the network is made of: the length, or the address,
  /// is wrong then.
  private static func check(
    _ network: IPNetwork, _ text: String, field: String
  ) throws(CommandError) {
    let address = String(text.prefix { $0 != "/" })
    guard IPAddress(address) != network.first else { return }
    throw CommandError(
      .badField, field: field,
      "“\(text)” is an address in the network \(network). For the whole network, type: \(network)"
        + " For the address alone, type: \(address)")
  }

  private static func noAddress(_ text: String, field: String) -> CommandError {
    let address = String(text.prefix { $0 != "%" })
    if address != text, IPAddress(address) != nil {
      return CommandError(
        .badField, field: field, "An address stands here without its zone. Type: \(address)")
    }
    let name = "\(namePrefix)\(text)"
    return CommandError(
      .badField, field: field,
      "“\(text)” is not an address such as 192.0.2.7 or 2001:db8::9, nor a network such as"
        + " 192.0.2.0/24. For the player of that name, type: "
        + (name.contains(" ") ? "\"\(name)\"" : name))
  }
}

extension String {
  /// Whether a number is one that `inet_aton(3)` and so `ping` and browsers take for a whole IPv4
  /// address: up to 32 bits, decimal, octal or hexadecimal.
  private static func isAddressNumber(_ text: String) -> Bool {
    let (digits, radix) =
      text.hasPrefix("0x") ? (text.dropFirst(2), 16) : (text[...], text.hasPrefix("0") ? 8 : 10)
    guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return false }
    return UInt32(digits, radix: radix) != nil
  }

  /// Whether a person would take the text for an address, or for a part, a range or a pattern of
  /// addresses. Compared in the form in which names are compared.
  fileprivate var looksLikeAddress: Bool {
    let text = PlayerName.key(of: self)?.text ?? lowercased()
    let base = text.prefix { $0 != "/" && $0 != "%" }
    if base != text[...], IPAddress(String(base)) != nil { return true }
    if Self.isAddressNumber(text) { return true }
    let isHex: (Character) -> Bool = { $0.isASCII && $0.isHexDigit }
    guard text.contains(where: { $0.isASCII && $0.isNumber }) || text.contains("::") else {
      return false
    }
    if base.contains(":") {
      // A name with a colon has other letters too, as a rule.
      return base.allSatisfy { isHex($0) || ".:[]*-,x".contains($0) }
    }
    let first = base.drop { $0 == "[" }.prefix { $0 != "." && $0 != "/" }
    let isNumber =
      first.allSatisfy { ("0"..."9").contains($0) }
      || first.hasPrefix("0x") && first.dropFirst(2).allSatisfy(isHex)
    return !first.isEmpty && isNumber && (base.contains(".") || text.contains("/"))
      && text.allSatisfy { isHex($0) || "./[]*-,x".contains($0) }
  }
}
