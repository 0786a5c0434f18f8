import Foundation
import Shared

/// TCP sockets with a source address. The transport of the programs offers no source address, since
/// they do not need one.
enum LoopbackSocket {
  /// The server's address.
  static let server = LoopbackAddress(0, 1)

  /// Starts to connect to the server; the socket becomes writable when it is connected or has
  /// failed. `receiveBuffer` is the size of the system's receive buffer in bytes; `nil` is its
  /// default.
  static func connect(
    from source: LoopbackAddress, port: UInt16, receiveBuffer: Int32?
  ) throws(SystemError) -> Int32 {
    let descriptor = try open(SOCK_NONBLOCK)
    do throws(SystemError) {
      // The port is chosen with the connection, so that ports are not used up by earlier servers.
      try set(descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, to: 1)
      try set(descriptor, IPPROTO_TCP, TCP_NODELAY, to: 1)
      if let receiveBuffer {
        try set(descriptor, Int(SOL_SOCKET), SO_RCVBUF, to: receiveBuffer)
      }
      _ = try systemCall("bind") {
        source.withSystemAddress(port: 0) { Glibc.bind(descriptor, $0, $1) }
      }
      do throws(SystemError) {
        _ = try systemCall("connect") {
          server.withSystemAddress(port: port) { Glibc.connect(descriptor, $0, $1) }
        }
      } catch {
        guard error.code == EINPROGRESS else { throw error }
      }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Listens on a free port. The socket blocks.
  static func listen() throws(SystemError) -> (descriptor: Int32, port: UInt16) {
    let descriptor = try open(nil)
    do throws(SystemError) {
      _ = try systemCall("bind") {
        server.withSystemAddress(port: 0) { Glibc.bind(descriptor, $0, $1) }
      }
      _ = try systemCall("listen") { Glibc.listen(descriptor, 1) }
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      _ = try systemCall("getsockname") {
        withUnsafeMutablePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            getsockname(descriptor, $0, &length)
          }
        }
      }
      return (descriptor, UInt16(bigEndian: address.sin_port))
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Returns and clears the pending error of a socket; `nil` if there is none.
  static func takeError(_ descriptor: Int32) -> SystemError? {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
      return SystemError(call: "getsockopt", code: errno)
    }
    return code == 0 ? nil : SystemError(call: "connect", code: code)
  }

  /// Closes with a reset.
  static func reset(_ descriptor: Int32) {
    var atOnce = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
  }

  private static func open(_ flag: __socket_type?) throws(SystemError) -> Int32 {
    let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (flag?.rawValue ?? 0)
    return try systemCall("socket") { socket(AF_INET, Int32(flags), 0) }
  }

  private static func set(
    _ descriptor: Int32, _ level: Int, _ option: Int32, to value: Int32
  ) throws(SystemError) {
    var value = value
    _ = try systemCall("setsockopt") {
      setsockopt(
        descriptor, Int32(level), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }
}
