#if canImport(CEpoll)
  import CEpoll
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process that only copies itself. A copy and the template share memory until one of them writes
/// to it, and the template no longer does. A new program would take megabytes for itself. A copy of
/// a busy process would keep that process's old memory.
///
/// A copy has no descriptors but the standard ones and its end of a pair of sockets, and it does
/// not outlive its parent. Blocked signals stay blocked. It needs Linux.
final class TemplateProcess {
  /// How long a copy may take, in milliseconds.
  private static let maxTime: Int32 = 5_000
  /// The socket of a copy.
  private static let inherited = Socket(descriptor: 3)

  let id: pid_t
  private let socket: Socket

  /// See `ChildProcesses`.
  ///
  /// - Throws: if the system has no descriptor or no room for it.
  init(
    prepare: () -> Void, body: (EventLoop, any Connection) -> Void
  ) throws(SystemError) {
    let (near, far) = try Socket.pair()
    do throws(SystemError) {
      // It waits for requests, and for nothing else.
      _ = try systemCall("fcntl") { fcntl(far.descriptor, F_SETFL, 0) }
      id = try systemCall("fork") { copyProcess(asSibling: false) }
    } catch {
      near.close()
      far.close()
      throw error
    }
    socket = near
    if id == 0 { Self.run(far, prepare, body) }
    far.close()
  }

  deinit { socket.close() }

  /// Ends it, also if it hangs. Its number must still be its own.
  func end() { kill(id, SIGKILL) }

  /// Makes a copy, which has a socket. It is a child of this process.
  ///
  /// - Returns: its number.
  /// - Throws: `EAGAIN` if the system has no room for it. After any other error the template is of
  ///   no use.
  func copy(with socket: Socket) throws(SystemError) -> pid_t {
    var message = DescriptorMessage(descriptor: socket.descriptor)
    _ = try systemCall("sendmsg") { message.exchange { sendmsg(self.socket.descriptor, $0, 0) } }
    var ready = pollfd(fd: self.socket.descriptor, events: Int16(POLLIN), revents: 0)
    // The answer to this request must not be taken for that to the next one.
    guard try systemCall("poll", { poll(&ready, 1, Self.maxTime) }) == 1 else {
      throw SystemError(call: "poll", code: ETIMEDOUT)
    }
    var id: pid_t = 0
    let count = try systemCall("recv") { recv(self.socket.descriptor, &id, 4, 0) }
    guard count == 4 else { throw SystemError(call: "recv", code: EPIPE) }
    guard id > 0 else { throw SystemError(call: "clone", code: EAGAIN) }
    return id
  }

  private static func run(
    _ socket: Socket, _ prepare: () -> Void, _ body: (EventLoop, any Connection) -> Void
  ) -> Never {
    inherit(socket)
    prepare()
    var message = DescriptorMessage(descriptor: -1)
    while message.exchange({ recvmsg(inherited.descriptor, $0, 0) }) == 1 {
      let far = Socket(descriptor: message.descriptor)
      var id = copyProcess(asSibling: true)
      if id == 0 { runCopy(far, body) }
      far.close()
      send(inherited.descriptor, &id, 4, 0)
    }
    _exit(0)
  }

  private static func runCopy(
    _ socket: Socket, _ body: (EventLoop, any Connection) -> Void
  ) -> Never {
    inherit(socket)
    do throws(SystemError) {
      let loop = try EventLoop()
      body(loop, try TCPConnection(loop: loop, socket: inherited, peer: .local, isTCP: false))
      try loop.run()
    } catch {
      _exit(1)
    }
    // What a program does at its end is for its first process to do.
    _exit(0)
  }

  private static func inherit(_ socket: Socket) {
    dup2(socket.descriptor, inherited.descriptor)
    #if os(Linux)
      if linux_close_range(4) != 0 {
        for descriptor in 4..<getdtablesize() { close(descriptor) }
      }
      // A process that hangs does not notice the end of its connection.
      linux_end_with_parent(SIGKILL)
    #endif
  }
}

private func copyProcess(asSibling: Bool) -> pid_t {
  #if os(Linux)
    asSibling ? linux_fork_sibling() : linux_fork()
  #else
    errno = ENOSYS
    return -1
  #endif
}

/// A message that carries a descriptor: a `struct cmsghdr` with its data.
private struct DescriptorMessage {
  private var length = 20
  private var level = SOL_SOCKET
  private var type: Int32 = 1  // SCM_RIGHTS
  private(set) var descriptor: Int32
  private var padding: Int32 = 0

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Calls `sendmsg` or `recvmsg` with the message and one byte.
  mutating func exchange(_ call: (UnsafeMutablePointer<msghdr>) -> Int) -> Int {
    var byte: UInt8 = 0
    return withUnsafeMutableBytes(of: &self) { control in
      withUnsafeMutableBytes(of: &byte) { bytes in
        var part = iovec(iov_base: bytes.baseAddress, iov_len: 1)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          message.msg_iov = part
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = .init(control.count)
          return call(&message)
        }
      }
    }
  }
}
