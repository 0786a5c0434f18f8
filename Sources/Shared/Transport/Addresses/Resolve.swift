#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A host name that has no address.
package struct ResolveError: Error, Equatable, Sendable {
  /// As it was asked for.
  package let host: String
  /// Of `getaddrinfo`: an `EAI_` constant.
  package let code: Int32

  init(host: String, code: Int32) {
    self.host = host
    self.code = code
  }
}

extension ResolveError: CustomStringConvertible {
  /// For people: "no-such-host: Name or service not known".
  package var description: String { "\(host): \(String(cString: gai_strerror(code)))" }
}

extension SocketAddress {
  /// The addresses of a host, the preferred one first. `passive` addresses are to listen on. A
  /// `host` is a name or a numeric address; `nil` is this machine: where passive all its interfaces,
  /// one address for each of IPv4 and IPv6, else its loopback.
  ///
  /// Waits for name servers, which can take many seconds, unless the host is `nil` or numeric: for
  /// start-up only. A `Connector` asks off the loop.
  package static func resolve(
    host: String?, port: UInt16, passive: Bool
  ) throws(ResolveError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Socket.stream
    if passive { hints.ai_flags |= AI_PASSIVE }
    var list: UnsafeMutablePointer<addrinfo>?
    // Without a host there must be a service, even though the port is put in below.
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
