import Foundation

/// The look-up of a host name has failed.
package struct ResolveError: Error, Equatable, Sendable {
  /// The host name that was looked up.
  package let host: String
  /// The result of `getaddrinfo`: an `EAI_` constant.
  package let code: Int32
}

extension ResolveError: CustomStringConvertible {
  /// For people: "no-such-host: Name or service not known".
  package var description: String { "\(host): \(String(cString: gai_strerror(code)))" }
}

extension SocketAddress {
  /// Returns the addresses of a host, the preferred one first. With `passive` they are for
  /// listening. `host` is a name or a numeric address. `nil` is this machine: with `passive` all
  /// interfaces, as one address for each of IPv4 and IPv6; otherwise the loopback.
  ///
  /// Waits for name servers, which can take many seconds, unless the host is `nil` or numeric. Use
  /// it only at start-up; a `Connector` looks up hosts on another thread.
  ///
  /// - Throws: if the host has no address, or the look-up fails.
  package static func resolve(
    host: String?, port: UInt16, passive: Bool
  ) throws(ResolveError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Socket.stream
    if passive { hints.ai_flags |= AI_PASSIVE }
    var list: UnsafeMutablePointer<addrinfo>?
    // Without a host there must be a service. The port is set below.
    let code = getaddrinfo(host, host == nil ? "0" : nil, &hints, &list)
    guard code == 0 else { throw ResolveError(host: host ?? "", code: code) }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let system = entry.ai_addr, let address = SocketAddress(system) {
        addresses.append(address.with(port: port))
      }
      next = entry.ai_next
    }
    guard !addresses.isEmpty else { throw ResolveError(host: host ?? "", code: EAI_NONAME) }
    return addresses
  }
}
