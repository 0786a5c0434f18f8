#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An IPv4 or IPv6 address and a port, as a plain value.
package struct SocketAddress: Hashable, Sendable, BitwiseCopyable {
  /// The TCP port.
  package let port: UInt16
  /// The address without its port.
  package let ip: IPAddress
  // An IPv6 socket can have an IPv4 address too.
  private let isIPv6: Bool
  // The interface of a link-local IPv6 address.
  private let scope: UInt32

  /// Converts a system address. `nil` for families other than IPv4 and IPv6.
  init?(_ system: UnsafePointer<sockaddr>) {
    switch Int32(system.pointee.sa_family) {
    case AF_INET:
      let address = UnsafeRawPointer(system).loadUnaligned(as: sockaddr_in.self)
      self.init(
        port: UInt16(bigEndian: address.sin_port),
        ip: IPAddress(ipv4: UInt32(bigEndian: address.sin_addr.s_addr)), isIPv6: false, scope: 0)
    case AF_INET6:
      let address = UnsafeRawPointer(system).loadUnaligned(as: sockaddr_in6.self)
      let ip = withUnsafeBytes(of: address.sin6_addr) { bytes in
        IPAddress(
          high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
          low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
      }
      self.init(
        port: UInt16(bigEndian: address.sin6_port), ip: ip, isIPv6: true,
        scope: address.sin6_scope_id)
    default: return nil
    }
  }

  /// Converts the address of a peer. An IPv4 peer of a socket for IPv4 and IPv6 has an IPv4
  /// address.
  init?(peer system: UnsafePointer<sockaddr>) {
    self.init(system)
    if ip.isIPv4 { self = SocketAddress(ip, port: port) }
  }

  private init(port: UInt16, ip: IPAddress, isIPv6: Bool, scope: UInt32) {
    self.port = port
    self.ip = ip
    self.isIPv6 = isIPv6
    self.scope = scope
  }

  /// An address with a port. An IPv4 address becomes one of an IPv4 socket.
  package init(_ ip: IPAddress, port: UInt16) {
    self.init(port: port, ip: ip, isIPv6: !ip.isIPv4, scope: 0)
  }

  /// Returns the same address with another port.
  package func with(port: UInt16) -> SocketAddress {
    SocketAddress(port: port, ip: ip, isIPv6: isIPv6, scope: scope)
  }

  var family: Int32 { isIPv6 ? AF_INET6 : AF_INET }

  /// Calls `body` with the address in the form that system calls take.
  ///
  /// - Throws: the error of `body`.
  func withSystemAddress<Value>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_scope_id = scope
      withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
        bytes.storeBytes(of: ip.high.bigEndian, as: UInt64.self)
        bytes.storeBytes(of: ip.low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
      return try Self.rebinding(address, body)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(truncatingIfNeeded: ip.low).bigEndian
    return try Self.rebinding(address, body)
  }

  private static func rebinding<Address, Value>(
    _ address: Address,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    try withUnsafePointer(to: address) { pointer throws(SystemError) in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        system throws(SystemError) in
        try body(system, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}

extension SocketAddress: CustomStringConvertible {
  /// Numeric: "1.2.3.4:7777", "[::1]:7777".
  package var description: String {
    isIPv6 ? "[\(hostDescription)]:\(port)" : "\(hostDescription):\(port)"
  }

  fileprivate var hostDescription: String {
    let name = try? withSystemAddress { system, length in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
        let code = getnameinfo(
          system, length, buffer.baseAddress, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        guard code == 0, let base = buffer.baseAddress else { return "?" }
        return String(cString: base)
      }
    }
    return name ?? "?"
  }
}

extension IPAddress: CustomStringConvertible {
  /// Numeric: "1.2.3.4", "2001:db8::12".
  package var description: String { SocketAddress(self, port: 0).hostDescription }
}
