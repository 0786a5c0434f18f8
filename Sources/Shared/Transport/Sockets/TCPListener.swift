#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Accepts TCP connections on one address. The loop owns it until it is closed.
package final class TCPListener {
  /// How long no connection is accepted after the system refused one more descriptor or memory for
  /// it, and nobody could be turned away: those who wait stay in the backlog, and the loop does not
  /// spin.
  package static let pause = Duration.milliseconds(100)

  /// How much the system holds of what a connection has sent and its peer has not taken, in bytes
  /// (Linux doubles it for its own needs). Left to itself it grows to megabytes for each peer that
  /// does not read, and hides for long whether one reads at all.
  package static let sendBuffer: Int32 = 131_072
  /// How much of that may wait in the system to be sent at all: what is behind it is still here, where
  /// it is counted.
  package static let unsentBuffer: Int32 = 16_384

  /// How much the system holds of what a peer has sent and was not read here, in bytes (Linux doubles
  /// this, too). Left to itself it grows to megabytes.
  package static let receiveBuffer: Int32 = 65_536
  private static let acceptsInARow = 16

  /// Where it listens; with port 0 the port that the system chose.
  package let address: SocketAddress
  private unowned let loop: EventLoop
  private let socket: Socket
  private let backlog: Int32
  private let accept: (TCPConnection) -> Void
  private let didRunShort: (SystemError) -> [UInt8]
  /// A descriptor to let go when the system has no other: in its place one more is accepted, told so
  /// and closed.
  private var spare: Socket?
  private var watch: Watch?
  private var retry: LoopTimer?

  /// Listens at once. An IPv6 address takes IPv6 only, so that `0.0.0.0` and `::` can listen side
  /// by side on one port. `backlog` is how many connections the system keeps until they are
  /// accepted; it may take less. `accept` gets each connection, within a turn of the loop: set its
  /// delegate there. `didRunShort` is called for each for which there is no descriptor
  /// (`EMFILE`, `ENFILE`) or no memory; it answers what that one is told before it is closed.
  ///
  /// Throws `EADDRINUSE` where the port is taken, `EACCES` where it is privileged, `EAFNOSUPPORT`
  /// or `EADDRNOTAVAIL` where the machine has no IPv6, and the like.
  package init(
    loop: EventLoop, address: SocketAddress, backlog: Int32 = 4096,
    accept: @escaping (TCPConnection) -> Void,
    didRunShort: @escaping (SystemError) -> [UInt8] = { _ in [] }
  ) throws(SystemError) {
    let socket = try Socket.open(family: address.family)
    do throws(SystemError) {
      // A server that starts again takes its port back from connections that are still ending.
      try socket.set(SO_REUSEADDR, of: SOL_SOCKET, to: 1)
      // What is accepted inherits it.
      try socket.set(SO_RCVBUF, of: SOL_SOCKET, to: Self.receiveBuffer)
      try socket.set(SO_SNDBUF, of: SOL_SOCKET, to: Self.sendBuffer)
      try socket.set(TCP_NOTSENT_LOWAT, of: Int32(IPPROTO_TCP), to: Self.unsentBuffer)
      try socket.enableKeepalive()
      if address.family == AF_INET6 {
        try socket.set(IPV6_V6ONLY, of: Int32(IPPROTO_IPV6), to: 1)
      }
      try socket.bind(to: address)
      try socket.listen(backlog: backlog)
      self.address = try socket.localAddress()
    } catch {
      socket.close()
      throw error
    }
    self.loop = loop
    self.socket = socket
    self.backlog = backlog
    self.accept = accept
    self.didRunShort = didRunShort
    do throws(SystemError) {
      watch = try loop.watch(socket.descriptor, for: .readable, handler: self)
    } catch {
      socket.close()
      throw error
    }
    spare = try? Socket.open(family: address.family)
  }

  /// Stops to listen: the port is free, and what was not accepted yet is refused. Twice is once.
  package func close() {
    guard let watch else { return }
    self.watch = nil
    retry?.cancel()
    loop.cancel(watch)
    socket.close()
    spare?.close()
  }
}

extension TCPListener: ReadinessHandler {
  package func descriptorIsReady(_ readiness: Readiness) {
    // Bounded, so that a flood of newcomers does not keep those who are connected waiting.
    for _ in 0..<Self.acceptsInARow where watch != nil {
      do throws(SystemError) {
        if let connection = try acceptOne() { accept(connection) }
      } catch {
        guard goesOn(after: error) else { return }
      }
    }
    loop.leaveInput(forCalls: UInt16(clamping: Int(backlog) / Self.acceptsInARow + 1))
  }

  package func loopDidEnd() {
    watch = nil
    socket.close()
    spare?.close()
  }

  /// Throws only what `accept` itself does; `nil` is a connection that could not be set up, and is
  /// closed again.
  private func acceptOne() throws(SystemError) -> TCPConnection? {
    let (accepted, peer) = try acceptSocket()
    guard let peer else {
      accepted.close()
      return nil
    }
    return try? TCPConnection(loop: loop, socket: accepted, peer: peer)
  }

  private func acceptSocket() throws(SystemError) -> (Socket, SocketAddress?) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return try withUnsafeMutablePointer(to: &storage) {
      pointer throws(SystemError) in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { system throws(SystemError) in
        (try socket.accept(system, &length), SocketAddress(system))
      }
    }
  }

  private func goesOn(after error: SystemError) -> Bool {
    if error.isWouldBlock { return false }
    // One that went before it was accepted, or that its network refused (see accept(2)).
    let isOfOne = [ECONNABORTED, EPROTO, ENETDOWN, ENETUNREACH, EHOSTUNREACH, EHOSTDOWN]
    if isOfOne.contains(error.code) { return true }
    do throws(SystemError) {
      try rejectOne(because: error)
      return true
    } catch let second {
      // Without a descriptor Linux does not look whether there is anybody.
      if second.isWouldBlock { return false }
      _ = didRunShort(error)
      pauseAccepting()
      return false
    }
  }

  /// One that has sent something already, or does so now, may see a reset in the place of the last
  /// words: there is no descriptor to wait for its end with.
  private func rejectOne(because error: SystemError) throws(SystemError) {
    let spare = if let spare { spare } else { try Socket.open(family: address.family) }
    spare.close()
    self.spare = nil
    defer { self.spare = try? Socket.open(family: address.family) }
    let accepted = try acceptSocket().0
    let farewell = didRunShort(error)
    _ = try? farewell.withUnsafeBytes { bytes throws(SystemError) in try accepted.send(bytes) }
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
      // No memory in the system to watch with either: once more later.
      retry = loop.schedule(after: Self.pause) { [unowned self] in watchFor(.readable) }
    }
  }
}
