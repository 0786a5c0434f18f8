#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Connects to a host over TCP: looks up its addresses and tries one after the other. The loop owns
/// the connector until it is done.
package final class Connector {
  private enum State {
    case resolving(Resolver)
    case connecting(Attempt)
    /// Between two addresses.
    case pausing(LoopTimer)
    case done
  }

  private struct Attempt {
    let socket: Socket
    let address: SocketAddress
    let watch: Watch
    let limit: LoopTimer
  }

  private unowned let loop: EventLoop
  private let limit: Duration
  private var completion: ((Result<any Connection, ConnectError>) -> Void)?
  private var state = State.done
  // The addresses that were not tried yet, the next one last.
  private var addresses: [SocketAddress] = []

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
    do throws(SystemError) {
      // The closures hold the connector, and the loop holds them.
      let resolver = try Resolver(loop: loop, host: host, port: port) { self.didResolve($0) }
      state = .resolving(resolver)
    } catch {
      let timer = loop.schedule(after: .zero) { self.finish(.failure(.failed(error))) }
      state = .pausing(timer)
    }
  }

  /// Cancels the attempt, and releases the completion without calling it. Does nothing after the
  /// completion was called.
  package func cancel() {
    switch state {
    case .resolving(let resolver): resolver.cancel()
    case .connecting(let attempt): end(attempt).close()
    case .pausing(let timer): timer.cancel()
    case .done: break
    }
    state = .done
    withExtendedLifetime(takeCompletion()) {}
  }

  private func didResolve(_ result: Result<[SocketAddress], ResolveError>) {
    switch result {
    case .success(let found):
      addresses = found.reversed()
      tryNext(else: .timedOut)
    case .failure(let error): finish(.failure(.unknownHost(error)))
    }
  }

  private func tryNext(else error: ConnectError) {
    guard let address = addresses.popLast() else { return finish(.failure(error)) }
    do throws(SystemError) {
      state = .connecting(try start(address))
    } catch {
      // In a separate turn, so that a host with many dead addresses does not block the loop.
      let timer = loop.schedule(after: .zero) { self.tryNext(else: .failed(error)) }
      state = .pausing(timer)
    }
  }

  private func start(_ address: SocketAddress) throws(SystemError) -> Attempt {
    let socket = try Socket.open(family: address.family)
    do throws(SystemError) {
      try socket.enableKeepalive()
      // A socket that is connected at once is writable at once.
      try socket.connect(to: address)
      let watch = try loop.watch(socket.descriptor, for: .writable, handler: self)
      let timer = loop.schedule(after: limit) { self.didTimeOut() }
      return Attempt(socket: socket, address: address, watch: watch, limit: timer)
    } catch {
      socket.close()
      throw error
    }
  }

  private func didTimeOut() {
    guard case .connecting(let attempt) = state else { return }
    end(attempt).close()
    tryNext(else: .timedOut)
  }

  /// Stops waiting for an attempt, and returns its socket, which is still open.
  @discardableResult
  private func end(_ attempt: Attempt) -> Socket {
    attempt.limit.cancel()
    loop.cancel(attempt.watch)
    return attempt.socket
  }

  private func finish(_ result: Result<any Connection, ConnectError>) {
    state = .done
    takeCompletion()?(result)
  }

  private func takeCompletion() -> ((Result<any Connection, ConnectError>) -> Void)? {
    let taken = completion
    completion = nil
    return taken
  }
}

extension Connector: ReadinessHandler {
  package func descriptorIsReady(_ readiness: Readiness) {
    guard case .connecting(let attempt) = state else { return }
    let socket = attempt.socket
    end(attempt)
    do throws(SystemError) {
      if let error = try socket.takeError(of: "connect") {
        socket.close()
        return tryNext(else: .failed(error))
      }
      let peer = attempt.address
      finish(.success(try TCPConnection(loop: loop, socket: socket, peer: peer)))
    } catch {
      // TCPConnection has closed the socket.
      tryNext(else: .failed(error))
    }
  }

  package func loopDidEnd() {
    guard case .connecting(let attempt) = state else { return }
    attempt.socket.close()
    state = .done
  }
}

/// The reason why a connection failed.
package enum ConnectError: Error, Equatable, Sendable {
  case unknownHost(ResolveError)
  /// The error of the host's last address.
  case failed(SystemError)
  /// The host's last address did not reply in time.
  case timedOut
}

extension ConnectError: CustomStringConvertible {
  /// For people: "connect: Connection refused".
  package var description: String {
    switch self {
    case .unknownHost(let error): error.description
    case .failed(let error): error.description
    case .timedOut: "connect: \(String(cString: strerror(ETIMEDOUT)))"
    }
  }
}
