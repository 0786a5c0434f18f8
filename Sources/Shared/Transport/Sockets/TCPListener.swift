#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Accepts TCP connections on one address. The loop owns the listener until it is closed.
package final class TCPListener {
  /// The pause in accepting after the system had no descriptor or memory for a connection, and
  /// could not reject it either. Meanwhile clients wait in the backlog, and the loop does not spin.
  package static let pause = Duration.milliseconds(100)

  /// The size of the system's send buffer in bytes (Linux doubles it). By default it grows to
  /// megabytes for a peer that does not read, so it would take a long time to notice such a peer.
  package static let sendBuffer: Int32 = 131_072
  /// The number of bytes in the send buffer that may wait to be sent. All further bytes stay in the
  /// process, where they are counted.
  package static let unsentBuffer: Int32 = 16_384

  /// The size of the system's receive buffer in bytes (Linux doubles it). By default it grows to
  /// megabytes.
  package static let receiveBuffer: Int32 = 65_536
  private static let acceptsPerEvent = 16
  /// The number of connections that the system keeps until they are accepted. It may keep fewer.
  package static let backlog: Int32 = 4096

  /// The address that it listens on, with the port that the system chose if port 0 was requested.
  /// For a path it is `local`.
  package let address: SocketAddress
  /// The path of a unix-domain socket; `nil` for TCP.
  private let path: LocalAddress?
  private unowned let loop: EventLoop
  private let socket: Socket
  private let backlog: Int32
  private let accept: (TCPConnection) -> Void
  private let onShortage: (SystemError) -> [UInt8]
  /// A descriptor in reserve. When the system has no other, this one is closed, so that one more
  /// connection can be accepted, sent a refusal, and closed.
  private var spare: Socket?
  private var watch: Watch?
  private var retry: LoopTimer?

  /// Listens at once. An IPv6 address accepts only IPv6, so that `0.0.0.0` and `::` can use the
  /// same port. `backlog` is how many connections the system keeps until they are accepted; the
  /// system may reduce it. `accept` gets each connection within a turn of the loop, and sets its
  /// delegate. `onShortage` is called for each connection for which there is no descriptor
  /// (`EMFILE`, `ENFILE`) or no memory. It returns the bytes that are sent before that connection
  /// is closed.
  ///
  /// - Throws: `EADDRINUSE` if the port is taken, `EACCES` if it is privileged, `EAFNOSUPPORT` or
  ///   `EADDRNOTAVAIL` if the machine does not have the address, and other errors of these calls.
  package convenience init(
    loop: EventLoop, address: SocketAddress, backlog: Int32 = TCPListener.backlog,
    accept: @escaping (TCPConnection) -> Void,
    onShortage: @escaping (SystemError) -> [UInt8] = { _ in [] }
  ) throws(SystemError) {
    let socket = try Socket.open(family: address.family)
    do throws(SystemError) {
      try Self.setInherited(socket)
      try Self.prepare(socket, for: address)
      try socket.listen(backlog: backlog)
    } catch {
      socket.close()
      throw error
    }
    try self.init(loop, socket, nil, backlog, accept, onShortage)
  }

  /// Listens on a path at once, as a unix-domain socket that only this user and root may open. It
  /// replaces the socket of a process that has died, and removes its own at the end.
  ///
  /// - Throws: `EADDRINUSE` if a process answers there, `EEXIST` if the path is another kind of
  ///   file, and other errors of these calls.
  package convenience init(
    loop: EventLoop, path: LocalAddress, accept: @escaping (TCPConnection) -> Void
  ) throws(SystemError) {
    let (socket, backlog) = (try Socket.bound(to: path), Int32(16))
    do throws(SystemError) {
      try socket.listen(backlog: backlog)
    } catch {
      socket.close()
      throw error
    }
    try self.init(loop, socket, path, backlog, accept, { _ in [] })
  }

  /// Listens with a socket that the process has got from its parent. The system's queue of
  /// connections goes on when the listener is closed, as long as the parent has the socket too.
  ///
  /// - Throws: if the socket is none of TCP.
  package convenience init(
    loop: EventLoop, passed: PassedSocket,
    accept: @escaping (TCPConnection) -> Void,
    onShortage: @escaping (SystemError) -> [UInt8] = { _ in [] }
  ) throws(SystemError) {
    do throws(SystemError) {
      try Self.setInherited(passed.socket)
    } catch {
      passed.socket.close()
      throw error
    }
    try self.init(loop, passed.socket, nil, Self.backlog, accept, onShortage)
  }

  /// `socket` listens already. It is closed if this throws.
  private init(
    _ loop: EventLoop, _ socket: Socket, _ path: LocalAddress?, _ backlog: Int32,
    _ accept: @escaping (TCPConnection) -> Void,
    _ onShortage: @escaping (SystemError) -> [UInt8]
  ) throws(SystemError) {
    do throws(SystemError) {
      address = path == nil ? try socket.localAddress() : .local
    } catch {
      socket.close()
      throw error
    }
    self.path = path
    self.loop = loop
    self.socket = socket
    self.backlog = backlog
    self.accept = accept
    self.onShortage = onShortage
    do throws(SystemError) {
      watch = try loop.watch(socket.descriptor, for: .readable, handler: self)
    } catch {
      socket.close()
      throw error
    }
    spare = try? Socket.open(family: address.family)
  }

  /// Checks that a listener could be opened, without listening.
  ///
  /// - Throws: what `init` throws.
  package static func check(_ address: SocketAddress) throws(SystemError) {
    let socket = try Socket.open(family: address.family)
    defer { socket.close() }
    try prepare(socket, for: address)
  }

  /// Sets the options that accepted sockets inherit.
  private static func setInherited(_ socket: Socket) throws(SystemError) {
    try socket.set(SO_RCVBUF, of: SOL_SOCKET, to: receiveBuffer)
    try socket.set(SO_SNDBUF, of: SOL_SOCKET, to: sendBuffer)
    try socket.set(TCP_NOTSENT_LOWAT, of: Int32(IPPROTO_TCP), to: unsentBuffer)
    try socket.enableKeepalive()
  }

  private static func prepare(_ socket: Socket, for address: SocketAddress) throws(SystemError) {
    // A restarted server can use its port while connections of the old one are still closing.
    try socket.set(SO_REUSEADDR, of: SOL_SOCKET, to: 1)
    if address.family == AF_INET6 {
      try socket.set(IPV6_V6ONLY, of: Int32(IPPROTO_IPV6), to: 1)
    }
    try socket.bind(to: address)
  }

  /// Whether it listens on a path.
  package var isLocal: Bool { path != nil }

  /// Stops listening. The port is free, and connections in the backlog are refused. A second call
  /// does nothing.
  package func close() {
    guard let watch else { return }
    self.watch = nil
    retry?.cancel()
    loop.cancel(watch)
    closeSocket()
  }

  private func closeSocket() {
    if let path { unlink(path.path) }
    socket.close()
    spare?.close()
  }
}

extension TCPListener: ReadinessHandler {
  package func descriptorIsReady(_ readiness: Readiness) {
    // Bounded, so that a flood of new connections does not delay the others.
    for _ in 0..<Self.acceptsPerEvent where watch != nil {
      do throws(SystemError) {
        if let connection = try acceptOne() { accept(connection) }
      } catch {
        guard canContinue(after: error) else { return }
      }
    }
    loop.leaveInput(forCalls: UInt16(clamping: Int(backlog) / Self.acceptsPerEvent + 1))
  }

  package func loopDidEnd() {
    watch = nil
    closeSocket()
  }

  /// Returns `nil` if the connection could not be set up; it is closed then.
  ///
  /// - Throws: if `accept` itself fails.
  private func acceptOne() throws(SystemError) -> TCPConnection? {
    let (accepted, peer) = try acceptSocket()
    guard let peer else {
      accepted.close()
      return nil
    }
    return try? TCPConnection(loop: loop, socket: accepted, peer: peer, isTCP: path == nil)
  }

  private func acceptSocket() throws(SystemError) -> (Socket, SocketAddress?) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return try withUnsafeMutablePointer(to: &storage) {
      pointer throws(SystemError) in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { system throws(SystemError) in
        let accepted = try socket.accept(system, &length)
        return (accepted, path == nil ? SocketAddress(peer: system) : address)
      }
    }
  }

  private func canContinue(after error: SystemError) -> Bool {
    if error.isWouldBlock { return false }
    // The errors of a single connection, which was closed before it was accepted, or whose network
    // failed; see accept(2).
    let connectionErrors = [ECONNABORTED, EPROTO, ENETDOWN, ENETUNREACH, EHOSTUNREACH, EHOSTDOWN]
    if connectionErrors.contains(error.code) { return true }
    do throws(SystemError) {
      try rejectOne(because: error)
      return true
    } catch let second {
      // Without a free descriptor Linux reports an error even if no connection waits.
      if second.isWouldBlock { return false }
      _ = onShortage(error)
      pauseAccepting()
      return false
    }
  }

  /// Accepts a connection with the reserved descriptor, sends the bytes of `onShortage` and closes
  /// it. A peer that has sent something may see a reset instead of these bytes, because there is no
  /// descriptor with which to wait for its end.
  private func rejectOne(because error: SystemError) throws(SystemError) {
    let spare = if let spare { spare } else { try Socket.open(family: address.family) }
    spare.close()
    self.spare = nil
    defer { self.spare = try? Socket.open(family: address.family) }
    let accepted = try acceptSocket().0
    let lastBytes = onShortage(error)
    _ = try? lastBytes.withUnsafeBytes { bytes throws(SystemError) in try accepted.send(bytes) }
    accepted.shutDownWriting()
    accepted.close()
  }

  private func pauseAccepting() {
    watchFor([])
    retry = loop.schedule(after: Self.pause) { [unowned self] in watchFor(.readable) }
  }

  private func watchFor(_ interest: Interest) {
    guard let watch else { return }
    do throws(SystemError) {
      try loop.modify(watch, to: interest)
    } catch {
      // The system has no memory for this either. Try again later.
      retry = loop.schedule(after: Self.pause) { [unowned self] in watchFor(.readable) }
    }
  }
}
