import Foundation
import Shared

/// Connects to the hosts of an engine and of its Sentinels, over TLS if its address says so.
final class RedisConnector {
  /// Begins to connect to a place over TCP, and returns what cancels that. Calls the closure once,
  /// in a later turn of the loop.
  typealias Connect = (
    RedisAddress.Place, @escaping (Result<any Connection, ConnectError>) -> Void
  ) -> () -> Void

  /// Why there is no connection, for people.
  struct Failure: Error, Equatable {
    let reason: String
  }

  /// An attempt, which goes from one step to the next.
  private final class Attempt {
    var cancel: () -> Void = {}
  }

  private let files: RedisAddress.TLSFiles?
  private let timers: any Timers
  private let connect: Connect
  /// What the files had in them when they were last changed.
  private var context: (tls: TLSContext, changes: [FileChange?])?

  init(_ address: RedisAddress, timers: any Timers, connect: @escaping Connect) {
    files = address.tls
    self.timers = timers
    self.connect = connect
  }

  /// Begins to connect, and returns what cancels that. Calls `completion` once, in a later turn of
  /// the loop. The output of the connection does not wait for the engine.
  func connect(
    to place: RedisAddress.Place,
    completion: @escaping (Result<any Connection, Failure>) -> Void
  ) -> () -> Void {
    let attempt = Attempt()
    attempt.cancel = connect(place) { [weak self] result in
      attempt.cancel = {}
      switch result {
      case .failure(let error): completion(.failure(Failure(reason: "\(place): \(error)")))
      case .success(let connection):
        connection.passesGate = true
        guard let self else { return connection.reset() }
        secure(connection, at: place, attempt, completion)
      }
    }
    return { attempt.cancel() }
  }

  private func secure(
    _ connection: any Connection, at place: RedisAddress.Place, _ attempt: Attempt,
    _ completion: @escaping (Result<any Connection, Failure>) -> Void
  ) {
    guard let files else { return completion(.success(connection)) }
    do {
      let session = try tls(with: files).makeSession(with: place.host)
      let handshake = TLSHandshake(
        over: connection, session: session, timers: timers, limit: RedisLink.connectTimeout
      ) { result in
        attempt.cancel = {}
        completion(result.map { $0 }.mapError { Failure($0, at: place) })
      }
      attempt.cancel = handshake.cancel
    } catch {
      connection.reset()
      completion(.failure(Failure(unusable: error, at: place)))
    }
  }

  /// A certificate is renewed while the server runs, so files that have changed are read again.
  private func tls(with files: RedisAddress.TLSFiles) throws -> TLSContext {
    let changes = files.paths.map(FileChange.init(of:))
    if let context, context.changes == changes { return context.tls }
    let tls = try files.makeContext()
    context = (tls, changes)
    return tls
  }
}

extension RedisConnector.Failure {
  /// What the reason of a failure of TLS begins with. Sentences follow.
  static let tlsPrefix = "TLS: "

  /// TLS has failed: in the handshake, or later.
  init(_ error: TLSError, at place: RedisAddress.Place) {
    self.init(reason: Self.tlsPrefix + error.sentence(for: "\(place)", .engine))
  }

  fileprivate init(unusable error: any Error, at place: RedisAddress.Place) {
    switch error {
    case let error as TLSError: self.init(error, at: place)
    case let error as ConfigurationError: self.init(reason: Self.tlsPrefix + error.message)
    case let error as SystemLibrary.MissingError:
      self.init(reason: Self.tlsPrefix + error.sentence)
    default: self.init(reason: "\(place): \(error)")
    }
  }
}

extension RedisAddress.TLSFiles {
  func makeContext() throws -> TLSContext {
    try TLSContext(
      trusting: authorities.map { TLSFile($0, of: "ca in the URL of the engine") },
      presenting: identity.map {
        TLSIdentity(
          certificate: TLSFile($0.certificate, of: "cert in the URL of the engine"),
          key: TLSFile($0.key, of: "key in the URL of the engine"))
      })
  }
}

extension RedisAddress {
  /// Reads the files of TLS, if there are any.
  ///
  /// - Throws: if one cannot be used, or there is no libssl.
  func checkFiles() throws(StartError) {
    do {
      _ = try tls?.makeContext()
    } catch let error as SystemLibrary.MissingError {
      throw StartError(code: .unavailable, sentence: error.sentence)
    } catch let error as ConfigurationError {
      throw StartError(code: .configuration, sentence: error.message)
    } catch {
      throw StartError(code: .configuration, sentence: "TLS cannot be used: \(error).")
    }
  }
}

extension TLSWording {
  fileprivate static let engine = TLSWording(
    peer: "engine", own: "server",
    withoutTLS: "Name its port for TLS, or begin its URL with redis instead of rediss; then nothing"
      + " is encrypted.",
    authorityOption: "ca=FILE in its URL",
    certificate: "Name one with cert=FILE and key=FILE in its URL.")
}
