#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system calls of a non-blocking TCP or local stream socket. It does not own its descriptor:
/// the code that opened the socket closes it.
///
/// Each method that throws throws the error of its system call.
struct Socket: Equatable, Sendable {
  let descriptor: Int32

  func bind(to address: SocketAddress) throws(SystemError) {
    try address.withSystemAddress { (system, length) throws(SystemError) in
      _ = try systemCall("bind") { bindDescriptor(descriptor, system, length) }
    }
  }

  func bind(to address: LocalAddress) throws(SystemError) {
    try address.withSystemAddress { (system, length) throws(SystemError) in
      _ = try systemCall("bind") { bindDescriptor(descriptor, system, length) }
    }
  }

  func listen(backlog: Int32) throws(SystemError) {
    _ = try systemCall("listen") { listenDescriptor(descriptor, backlog) }
  }

  /// Begins to connect. The socket becomes writable when that is done; `takeError` returns its
  /// result.
  func connect(to address: SocketAddress) throws(SystemError) {
    do throws(SystemError) {
      try address.withSystemAddress { (system, length) throws(SystemError) in
        _ = try systemCall("connect") { connectDescriptor(descriptor, system, length) }
      }
    } catch {
      // EALREADY: a signal interrupted the call, but the connection attempt continues.
      guard error.code == EINPROGRESS || error.code == EALREADY else { throw error }
    }
  }

  /// Connects to a path, at once.
  func connect(to address: LocalAddress) throws(SystemError) {
    try address.withSystemAddress { (system, length) throws(SystemError) in
      _ = try systemCall("connect") { connectDescriptor(descriptor, system, length) }
    }
  }

  /// Returns the socket's pending error and clears it; `nil` if there is none.
  func takeError(of call: String) throws(SystemError) -> SystemError? {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    _ = try systemCall("getsockopt") {
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    }
    return code == 0 ? nil : SystemError(call: call, code: code)
  }

  /// Returns the address that the socket is bound to, with the port that the system chose.
  func localAddress() throws(SystemError) -> SocketAddress {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let address = try withUnsafeMutablePointer(to: &storage) { pointer throws(SystemError) in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { system throws(SystemError) in
        _ = try systemCall("getsockname") { getsockname(descriptor, system, &length) }
        return SocketAddress(system)
      }
    }
    guard let address else { throw SystemError(call: "getsockname", code: EAFNOSUPPORT) }
    return address
  }

  /// Shuts down writing; the peer can still send. If the peer has gone already, that is ignored:
  /// the caller waits for its end next.
  func shutDownWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes `close` discard unsent bytes, so that the peer sees a reset.
  func resetWhenClosed() throws(SystemError) {
    var atOnce = linger(l_onoff: 1, l_linger: 0)
    _ = try systemCall("setsockopt") {
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
    }
  }

  /// Not repeated if a signal interrupts it, because the descriptor is freed anyway.
  func close() { closeDescriptor(descriptor) }

  func set(_ option: Int32, of level: Int32, to value: Int32) throws(SystemError) {
    var value = value
    _ = try systemCall("setsockopt") {
      setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  func value(of option: Int32, of level: Int32) throws(SystemError) -> Int32 {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    _ = try systemCall("getsockopt") { getsockopt(descriptor, level, option, &value, &length) }
    return value
  }

  /// Makes a socket of another process non-blocking, and lets exec close it.
  func adopt() throws(SystemError) {
    let flags = try systemCall("fcntl") { fcntl(descriptor, F_GETFL) }
    _ = try systemCall("fcntl") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    _ = try systemCall("fcntl") { fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  }

  /// Disables Nagle's algorithm, so that short lines are sent at once. Otherwise a peer waits about
  /// 40 ms for each.
  func disableNagle() throws(SystemError) {
    try set(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: 1)
  }
}

// Inside `Socket` its own methods hide the system functions of the same names.
private func bindDescriptor(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> Int32 { bind(descriptor, address, length) }

private func listenDescriptor(_ descriptor: Int32, _ backlog: Int32) -> Int32 {
  listen(descriptor, backlog)
}

private func connectDescriptor(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> Int32 { connect(descriptor, address, length) }

private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
