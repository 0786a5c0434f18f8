import Foundation

/// A listening socket that the process got from its parent, as `sd_listen_fds(3)` describes it:
/// systemd has opened it, and keeps it while the process restarts, so no newcomer is refused.
package struct PassedSocket: Equatable, Sendable {
  /// A socket that cannot be used. The message is a sentence that says what to do.
  package struct UnusableError: Error, Equatable {
    package let message: String
  }

  /// The variables of the protocol.
  private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

  /// `FileDescriptorName=` of the socket unit, or the name of the unit.
  package let name: String
  let socket: Socket

  /// Takes all sockets that are for this process, and removes the variables from its environment.
  /// Call it once, before the process has opened anything.
  ///
  /// - Throws: if one of them does not listen for streams.
  package static func takeAll() throws(UnusableError) -> [PassedSocket] {
    let environment = ProcessInfo.processInfo.environment
    for variable in variables { unsetenv(variable) }
    return try all(in: environment, process: getpid(), first: 3)
  }

  /// Returns whether a connection waits at one of the sockets that this process has got, before
  /// they are taken.
  package static func hasConnection(in environment: [String: String]) -> Bool {
    guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == getpid(),
      let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...1_024).contains(count)
    else { return false }
    var watched = (3..<3 + count).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&watched, nfds_t(watched.count), 0) > 0
  }

  /// Returns the sockets that an environment names; none if they are for another process. `first`
  /// is the number of the first descriptor.
  ///
  /// - Throws: if one of them does not listen for streams.
  package static func all(
    in environment: [String: String], process: Int32, first: Int32
  ) throws(UnusableError) -> [PassedSocket] {
    guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == process,
      let text = environment["LISTEN_FDS"]
    else { return [] }
    guard let count = Int32(text), (0...1_024).contains(count) else {
      throw UnusableError(message: "LISTEN_FDS is no number of sockets: “\(text)”.")
    }
    var names =
      environment["LISTEN_FDNAMES"]?.split(
        separator: ":", omittingEmptySubsequences: false
      ).map(String.init) ?? []
    if names.count != Int(count) { names = Array(repeating: "unknown", count: Int(count)) }
    var sockets: [PassedSocket] = []
    for (index, name) in names.enumerated() {
      let passed = PassedSocket(name: name, socket: Socket(descriptor: first + Int32(index)))
      try passed.prepare()
      sockets.append(passed)
    }
    return sockets
  }

  /// The address on which it listens for TCP.
  ///
  /// - Throws: if it listens for something else.
  package func address() throws(UnusableError) -> SocketAddress {
    do throws(SystemError) {
      return try socket.localAddress()
    } catch {
      throw unusable("is not for TCP")
    }
  }

  private func prepare() throws(UnusableError) {
    let (type, isListening): (Int32, Int32)
    do throws(SystemError) {
      try socket.adopt()
      type = try socket.value(of: SO_TYPE, of: SOL_SOCKET)
      isListening = try socket.value(of: SO_ACCEPTCONN, of: SOL_SOCKET)
    } catch {
      throw unusable("cannot be used: \(error)")
    }
    guard type == Socket.stream, isListening == 1 else {
      throw unusable("does not listen for streams")
    }
  }

  private func unusable(_ reason: String) -> UnusableError {
    UnusableError(
      message: "The socket that was passed as descriptor \(socket.descriptor), “\(name)”,"
        + " \(reason). In the socket unit, write ListenStream=PORT and Accept=no.")
  }
}
