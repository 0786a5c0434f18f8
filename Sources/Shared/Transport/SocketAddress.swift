#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An IPv4 or IPv6 address and a port, as a plain value.
package struct SocketAddress: Hashable, Sendable, BitwiseCopyable {
  package let port: UInt16
  private let isIPv6: Bool
  // The interface that a link-local IPv6 address belongs to.
  private let scope: UInt32
  // As on the wire; an IPv4 address has its four bytes first.
  private let host: SIMD16<UInt8>

  /// `nil` for other families than IPv4 and IPv6.
  init?(_ system: UnsafePointer<sockaddr>) {
    var host = SIMD16<UInt8>()
    switch Int32(system.pointee.sa_family) {
    case AF_INET:
      let address = UnsafeRawPointer(system).loadUnaligned(as: sockaddr_in.self)
      withUnsafeBytes(of: address.sin_addr) { bytes in
        for index in bytes.indices { host[index] = bytes[index] }
      }
      self.init(port: UInt16(bigEndian: address.sin_port), isIPv6: false, scope: 0, host: host)
    case AF_INET6:
      let address = UnsafeRawPointer(system).loadUnaligned(as: sockaddr_in6.self)
      withUnsafeBytes(of: address.sin6_addr) { bytes in
        for index in bytes.indices { host[index] = bytes[index] }
      }
      self.init(
        port: UInt16(bigEndian: address.sin6_port), isIPv6: true, scope: address.sin6_scope_id,
        host: host)
    default: return nil
    }
  }

  private init(port: UInt16, isIPv6: Bool, scope: UInt32, host: SIMD16<UInt8>) {
    self.port = port
    self.isIPv6 = isIPv6
    self.scope = scope
    self.host = host
  }

  package init(_ ip: IPAddress, port: UInt16) {
    var host = SIMD16<UInt8>()
    let bytes = ip.bytes
    for index in bytes.indices { host[index] = bytes[index] }
    self.init(port: port, isIPv6: !ip.isIPv4, scope: 0, host: host)
  }

  /// The address without its port.
  package var ip: IPAddress {
    let high = UInt64(bigEndian: unsafeBitCast(host.lowHalf, to: UInt64.self))
    let low = UInt64(bigEndian: unsafeBitCast(host.highHalf, to: UInt64.self))
    return isIPv6
      ? IPAddress(high: high, low: low) : IPAddress(ipv4: UInt32(truncatingIfNeeded: high >> 32))
  }

  /// The same host at another port.
  package func with(port: UInt16) -> SocketAddress {
    SocketAddress(port: port, isIPv6: isIPv6, scope: scope, host: host)
  }

  /// `AF_INET` or `AF_INET6`.
  var family: Int32 { isIPv6 ? AF_INET6 : AF_INET }

  /// The address as system calls take it.
  func withSystemAddress<Value>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_scope_id = scope
      withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
        for index in bytes.indices { bytes[index] = host[index] }
      }
      return try Self.rebinding(address, body)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    withUnsafeMutableBytes(of: &address.sin_addr) { bytes in
      for index in bytes.indices { bytes[index] = host[index] }
    }
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

  private var hostDescription: String {
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
