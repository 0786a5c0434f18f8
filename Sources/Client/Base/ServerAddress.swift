import Shared

/// The address of a server. Its description is for people.
struct ServerAddress: Equatable, CustomStringConvertible {
  let host: String
  let port: UInt16
  var usesTLS = false

  var description: String { "\(host) port \(port)\(usesTLS ? " (TLS)" : "")" }
}

extension ServerAddress {
  /// The longest host that names a server, as in the name system.
  private static let maxHostLength = 253

  /// Reads the `to` of a `bye`: `HOST:PORT`, with an IPv6 address in brackets; `nil` if it is no
  /// address. TLS stays as it is.
  init?(_ text: String, usesTLS: Bool) {
    guard let operand = HostPort(text), let port = operand.port,
      operand.host.utf8.count <= Self.maxHostLength,
      operand.host.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.init(host: operand.host, port: port, usesTLS: usesTLS)
  }
}
