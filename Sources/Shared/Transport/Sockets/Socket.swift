#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A TCP or local stream socket, always non-blocking: its system calls by name. Owns nothing;
/// whoever opened it closes it.
struct Socket: Equatable, Sendable {
  let descriptor: Int32

  func bind(to address: SocketAddress) throws(SystemError) {
    try address.withSystemAddress { (system, length) throws(SystemError) in
      _ = try systemCall("bind") { bindDescriptor(descriptor, system, length) }
    }
  }

  func listen(backlog: Int32) throws(SystemError) {
    _ = try systemCall("listen") { listenDescriptor(descriptor, backlog) }
  }

  /// Begins to connect: the socket becomes writable, and `takeError` says how it ended.
  func connect(to address: SocketAddress) throws(SystemError) {
    do throws(SystemError) {
      try address.withSystemAddress { (system, length) throws(SystemError) in
        _ = try systemCall("connect") { connectDescriptor(descriptor, system, length) }
      }
    } catch {
      // EALREADY: a signal interrupted the call, which goes on without it.
      guard error.code == EINPROGRESS || error.code == EALREADY else { throw error }
    }
  }

  /// What went wrong with the socket since it was last asked; `nil` where nothing did.
  func takeError(of call: String) throws(SystemError) -> SystemError? {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    _ = try systemCall("getsockopt") {
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    }
    return code == 0 ? nil : SystemError(call: call, code: code)
  }

  /// The address that it is bound to; with port 0 the system chose one.
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

  /// Tells the peer that no more comes; it can still send. A peer that has gone already is no
  /// error: who shuts down waits for its end next.
  func shutDownWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// From now on `close` throws away what was not sent, and the peer sees a reset.
  func resetWhenClosed() throws(SystemError) {
    var atOnce = linger(l_onoff: 1, l_linger: 0)
    _ = try systemCall("setsockopt") {
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
    }
  }

  /// Not made again where a signal interrupts: the descriptor is free all the same.
  func close() { closeDescriptor(descriptor) }

  func set(_ option: Int32, of level: Int32, to value: Int32) throws(SystemError) {
    var value = value
    _ = try systemCall("setsockopt") {
      setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  /// Small lines go out at once; without it a peer waits some 40 ms for each.
  func disableNagle() throws(SystemError) {
    try set(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: 1)
  }
}

// Inside `Socket` its own methods hide the functions of the same name.
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
