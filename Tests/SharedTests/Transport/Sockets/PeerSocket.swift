#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import Shared

/// The other end of a connection: a plain socket that no loop watches.
struct Peer {
  let socket: Socket

  /// Uses one end of a socket pair.
  init(socket: Socket) { self.socket = socket }

  /// Connects. On the loopback the connection is made when the call returns.
  init(to address: SocketAddress, receiveBuffer: Int32? = nil) throws {
    socket = try Socket.open(family: address.family)
    if let receiveBuffer { try socket.set(SO_RCVBUF, of: SOL_SOCKET, to: receiveBuffer) }
    try socket.connect(to: address)
  }

  func send(_ text: String) throws {
    var text = text
    let sent = try text.withUTF8 { try socket.send(UnsafeRawBufferPointer($0)) }
    precondition(sent == text.utf8.count, "the system takes short texts whole")
  }

  /// Makes one `recv` call. Returns `nil` if there is no input, and no bytes at its end.
  func receive() throws -> [UInt8]? {
    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { buffer in
      do throws(SystemError) {
        return Array(buffer[..<(try socket.receive(into: buffer))])
      } catch {
        guard error.isWouldBlock else { throw error }
        return nil
      }
    }
  }

  func receiveText() throws -> String? {
    try receive().map { String(decoding: $0, as: UTF8.self) }
  }

  /// The number of sent bytes that the other end's system has not acknowledged yet.
  var unacknowledged: Int {
    get throws {
      var count: Int32 = 0
      #if os(Linux)
        _ = try systemCall("ioctl") { ioctl(socket.descriptor, UInt(TIOCOUTQ), &count) }
      #else
        var length = socklen_t(MemoryLayout<Int32>.size)
        _ = try systemCall("getsockopt") {
          getsockopt(socket.descriptor, SOL_SOCKET, SO_NWRITE, &count, &length)
        }
      #endif
      return Int(count)
    }
  }

  /// Closes so that the other end sees a reset.
  func reset() throws {
    try socket.resetWhenClosed()
    socket.close()
  }
}

extension SocketAddress {
  static func loopback(_ host: String = "127.0.0.1", port: UInt16 = 0) throws -> SocketAddress {
    try resolve(host: host, port: port, passive: true)[0]
  }
}
