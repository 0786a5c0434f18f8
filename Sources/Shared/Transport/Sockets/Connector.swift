#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Connects to a host over TCP: looks up its addresses and races them (RFC 8305, “Happy Eyeballs”).
/// The families take turns. Each next address is tried when the one before has failed, or 250 ms
/// after it; the first connection wins, and the others are closed. The loop owns the connector
/// until it is done.
package final class Connector {
  private enum State {
    case resolving(HelperThread)
    /// The attempts that go on, and the timer of the next one.
    case racing([Attempt], next: LoopTimer?)
    case done
  }

  /// How long an address is tried alone, before the next one joins.
  static let attemptDelay = Duration.milliseconds(250)

  private unowned let loop: EventLoop
  private let limit: Duration
  private var completion: ((Result<any Connection, ConnectError>) -> Void)?
  private var state = State.done
  // The addresses that were not tried yet, the next one last.
  private var addresses: [SocketAddress] = []
  // The errors of the addresses that have failed.
  private var errors: [ConnectError] = []

  /// Begins at once. `limit` is how long each address of the host is tried. The time for the
  /// look-up depends on the system's settings; `cancel` ends it too. `completion` is called exactly
  /// once, in a later turn of the loop, unless the connector is cancelled before. It sets the
  /// connection's delegate.
  package init(
    loop: EventLoop, host: String, port: UInt16, limit: Duration = .seconds(5),
    completion: @escaping (Result<any Connection, ConnectError>) -> Void
  ) {
    self.loop = loop
    self.limit = limit
    self.completion = completion
    // It needs no look-up, and no thread for that.
    if let address = IPAddress(host) {
      race([SocketAddress(address, port: port)])
      return
    }
    do throws(SystemError) {
      // The system's call waits for name servers. The closures hold the connector, and the loop
      // holds them.
      let thread = try HelperThread(loop: loop)
      state = .resolving(thread)
      thread.perform { () -> Result<[SocketAddress], ResolveError> in
        Result { () throws(ResolveError) in
          try SocketAddress.resolve(host: host, port: port, passive: false)
        }
      } then: { result in
        thread.end()
        self.didResolve(result)
      }
    } catch {
      let timer = loop.schedule(after: .zero) { self.finish(.failure(.failed(error))) }
      state = .racing([], next: timer)
    }
  }

  /// Races the addresses of a host, the preferred one first.
  init(
    loop: EventLoop, addresses: [SocketAddress], limit: Duration = .seconds(5),
    completion: @escaping (Result<any Connection, ConnectError>) -> Void
  ) {
    self.loop = loop
    self.limit = limit
    self.completion = completion
    race(addresses)
  }

  /// Cancels the attempt, and releases the completion without calling it. Does nothing after the
  /// completion was called.
  package func cancel() {
    if case .resolving(let thread) = state { thread.end() }
    end()
    withExtendedLifetime(takeCompletion()) {}
  }

  private func didResolve(_ result: Result<[SocketAddress], ResolveError>) {
    switch result {
    case .success(let found): race(found)
    case .failure(let error): finish(.failure(.unknownHost(error)))
    }
  }

  private func race(_ addresses: [SocketAddress]) {
    self.addresses = addresses.withFamiliesInTurn.reversed()
    state = .racing([], next: nil)
    scheduleNext(after: .zero)
  }

  /// Begins the next attempt in a turn of its own, so that a host with many dead addresses does not
  /// block the loop.
  private func scheduleNext(after delay: Duration) {
    guard case .racing(let attempts, let next) = state else { return }
    next?.cancel()
    guard !addresses.isEmpty else {
      state = .racing(attempts, next: nil)
      if attempts.isEmpty { finish(.failure(ConnectError(errors))) }
      return
    }
    state = .racing(attempts, next: loop.schedule(after: delay) { self.tryNext() })
  }

  private func tryNext() {
    guard case .racing(let attempts, _) = state, let address = addresses.popLast() else { return }
    do throws(SystemError) {
      let attempt = try Attempt(at: address, loop: loop, limit: limit) { self.didEnd($0, $1) }
      state = .racing(attempts + [attempt], next: nil)
      scheduleNext(after: Self.attemptDelay)
    } catch {
      errors.append(.failed(error))
      scheduleNext(after: .zero)
    }
  }

  private func didEnd(_ attempt: Attempt, _ result: Result<Socket, ConnectError>) {
    guard case .racing(let attempts, let next) = state else { return }
    state = .racing(attempts.filter { $0 !== attempt }, next: next)
    do {
      let connection = try TCPConnection(
        loop: loop, socket: result.get(), peer: attempt.address)
      finish(.success(connection))
    } catch {
      // TCPConnection has closed the socket.
      errors.append(error as? ConnectError ?? .timedOut)
      scheduleNext(after: .zero)
    }
  }

  private func finish(_ result: Result<any Connection, ConnectError>) {
    end()
    takeCompletion()?(result)
  }

  private func end() {
    if case .racing(let attempts, let next) = state {
      next?.cancel()
      for attempt in attempts { attempt.cancel() }
    }
    state = .done
  }

  private func takeCompletion() -> ((Result<any Connection, ConnectError>) -> Void)? {
    let taken = completion
    completion = nil
    return taken
  }
}

/// An attempt to connect to one address. The loop owns it until it ends.
private final class Attempt: ReadinessHandler {
  let address: SocketAddress
  private unowned let loop: EventLoop
  private let socket: Socket
  private var watch: Watch?
  private var limit: LoopTimer?
  /// `nil` once the attempt has ended.
  private var completion: ((Attempt, Result<Socket, ConnectError>) -> Void)?

  /// Begins at once. `completion` is called once, with an open socket or the reason, unless the
  /// attempt is cancelled before.
  ///
  /// - Throws: if the attempt cannot begin.
  init(
    at address: SocketAddress, loop: EventLoop, limit: Duration,
    completion: @escaping (Attempt, Result<Socket, ConnectError>) -> Void
  ) throws(SystemError) {
    self.address = address
    self.loop = loop
    self.completion = completion
    socket = try Socket.open(family: address.family)
    do throws(SystemError) {
      try socket.enableKeepalive()
      // A socket that is connected at once is writable at once.
      try socket.connect(to: address)
      watch = try loop.watch(socket.descriptor, for: .writable, handler: self)
    } catch {
      socket.close()
      throw error
    }
    self.limit = loop.schedule(after: limit) { self.end(.failure(.timedOut)) }
  }

  /// Closes the socket without calling the completion. Does nothing after the end.
  func cancel() {
    guard release() != nil else { return }
    socket.close()
  }

  func descriptorIsReady(_ readiness: Readiness) {
    do throws(SystemError) {
      if let error = try socket.takeError(of: "connect") { throw error }
      end(.success(socket))
    } catch {
      end(.failure(.failed(error)))
    }
  }

  func loopDidEnd() {
    watch = nil
    completion = nil
    socket.close()
  }

  private func end(_ result: Result<Socket, ConnectError>) {
    guard let completion = release() else { return }
    if case .failure = result { socket.close() }
    completion(self, result)
  }

  /// Stops waiting. The socket is still open.
  private func release() -> ((Attempt, Result<Socket, ConnectError>) -> Void)? {
    limit?.cancel()
    if let watch { loop.cancel(watch) }
    watch = nil
    defer { completion = nil }
    return completion
  }
}

extension [SocketAddress] {
  /// The addresses in an order in which IPv6 and IPv4 take turns, as long as there are both. The
  /// first one stays the first, and each family keeps its order.
  var withFamiliesInTurn: [SocketAddress] {
    var first = filter { $0.family == self.first?.family }[...]
    var second = filter { $0.family != self.first?.family }[...]
    var addresses: [SocketAddress] = []
    while !first.isEmpty || !second.isEmpty {
      if let address = first.popFirst() { addresses.append(address) }
      if let address = second.popFirst() { addresses.append(address) }
    }
    return addresses
  }
}

/// The reason why a connection failed.
package enum ConnectError: Error, Equatable, Sendable {
  case unknownHost(ResolveError)
  case failed(SystemError)
  /// The host did not reply in time.
  case timedOut
  /// The host's addresses failed for different reasons. Each reason is listed once.
  case several([ConnectError])

  /// Combines the errors of a host's addresses.
  init(_ errors: [ConnectError]) {
    var different: [ConnectError] = []
    for error in errors where !different.contains(error) { different.append(error) }
    self = different.count > 1 ? .several(different) : different.first ?? .timedOut
  }
}

extension ConnectError: CustomStringConvertible {
  /// For people: "connect: Connection refused".
  package var description: String {
    switch self {
    case .unknownHost(let error): error.description
    case .failed(let error): error.description
    case .timedOut: "connect: \(String(cString: strerror(ETIMEDOUT)))"
    case .several(let errors): errors.map(\.description).joined(separator: ", ")
    }
  }
}
