#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Sends the state of the process to the service manager, as `sd_notify(3)` describes it: lines
/// such as `READY=1` in a datagram to a local socket.
package struct ServiceNotifier: Sendable {
  private let socket: Socket
  private let address: [UInt8]

  /// `path` is the value of `NOTIFY_SOCKET`: a path, or a name after `@` in Linux's abstract
  /// namespace. Returns `nil` for other addresses, and if there is no descriptor.
  package init?(_ path: String) {
    guard let address = Self.address(path),
      let socket = try? Socket.openLocalDatagram()
    else { return nil }
    self.address = address
    self.socket = socket
  }

  /// Returns the notifier of the service manager that has started this process; `nil` if none has,
  /// or it does not want to be told.
  package init?(in environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"] else { return nil }
    self.init(path)
  }

  /// How often the manager wants a sign of life, `WATCHDOG=1`; `nil` if it wants none.
  package static func watchdogInterval(
    in environment: [String: String], process: Int32 = getpid()
  ) -> Duration? {
    let isWatched = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int($0) } ?? 0
    return isWatched && microseconds > 1 ? .microseconds(microseconds) : nil
  }

  /// Sends lines without waiting.
  ///
  /// - Returns: whether the system took them.
  @discardableResult
  package func send(_ lines: String) -> Bool {
    let bytes = Array(lines.utf8)
    return address.withUnsafeBytes { address in
      guard let system = address.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return false
      }
      let sent = try? systemCall("sendto") {
        sendto(
          socket.descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), system,
          socklen_t(address.count))
      }
      return sent == bytes.count
    }
  }

  package func close() { socket.close() }

  /// Returns the bytes of a `sockaddr_un`.
  private static func address(_ path: String) -> [UInt8]? {
    var name = Array(path.utf8)
    guard let first = name.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else {
      return nil
    }
    if first == UInt8(ascii: "@") { name[0] = 0 } else { name.append(0) }
    guard name.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    return withUnsafeBytes(of: &address) { Array($0[..<start]) } + name
  }
}
