import Foundation
package import Shared

/// Certificates, and sessions of a server, for tests of TLS.
package enum TLSFixture {
  package static let isAvailable = (try? OpenSSL.load()) != nil

  package enum Version: CLong, CaseIterable {
    case tls12 = 0x0303
    case tls13 = 0x0304
  }

  package static func path(of certificate: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Certificates/\(certificate).pem").path
  }

  /// The certificates in a file of this folder, as `--tls-ca` names them.
  package static func file(_ certificate: String) -> TLSFile {
    TLSFile(path(of: certificate), of: "--tls-ca")
  }

  /// A session of a server with a certificate, up to a version of TLS.
  package static func serverSession(
    with certificate: String = "host", _ version: Version = .tls13
  ) throws -> TLSSession {
    typealias Handle = OpenSSL.Handle
    typealias UseFile = @convention(c) (Handle?, UnsafePointer<CChar>?, CInt) -> CInt
    typealias UseChain = @convention(c) (Handle?, UnsafePointer<CChar>?) -> CInt
    let library = try OpenSSL.load()
    let openSSL = try OpenSSL(library)
    let method: @convention(c) () -> Handle? = try library.function("TLS_server_method")
    let useKey: UseFile = try library.function("SSL_CTX_use_PrivateKey_file")
    let useCertificate: UseChain = try library.function("SSL_CTX_use_certificate_chain_file")
    let beServer: @convention(c) (Handle?) -> Void = try library.function("SSL_set_accept_state")
    let context = openSSL.makeContext(method())
    // SSL_CTRL_SET_MAX_PROTO_VERSION; SSL_FILETYPE_PEM.
    _ = openSSL.controlContext(context, 124, version.rawValue, nil)
    let file = path(of: certificate)
    guard useCertificate(context, file) == 1, useKey(context, file, 1) == 1 else {
      throw TLSError.refused("\(file) cannot be used")
    }
    let session = openSSL.make(context)
    beServer(session)
    openSSL.freeContext(context)
    return TLSSession(openSSL, session)
  }
}

/// The server's end of a TLS connection. It keeps what it receives.
package final class TLSServer {
  package let connection: any Connection
  private let session: TLSSession
  private var isOpen = false
  /// Sent as soon as the handshake is complete.
  package var greeting: [UInt8] = []
  package private(set) var received: [UInt8] = []
  /// The client has said that it sends no more.
  package private(set) var hasEnded = false
  package private(set) var error: TLSError?

  package init(over connection: any Connection, session: TLSSession) {
    self.connection = connection
    self.session = session
    connection.delegate = self
  }

  package func send(_ bytes: [UInt8]) {
    session.write(bytes.span)
    sendOutput()
  }

  /// Says that no more bytes follow; the connection stays open.
  package func end() {
    session.end()
    sendOutput()
  }

  private func sendOutput() {
    session.takeOutput { connection.send($0) }
  }

  private func advance(_ bytes: Span<UInt8>) throws(TLSError) {
    try session.receive(bytes)
    if !isOpen {
      isOpen = try session.handshake()
      if isOpen { send(greeting) }
    }
    var buffer = [UInt8](repeating: 0, count: 1_000)
    while isOpen {
      let input: TLSSession.Input
      do {
        input = try buffer.withUnsafeMutableBytes { try session.read(into: $0) }
      } catch {
        throw error as? TLSError ?? .refused("\(error)")
      }
      switch input {
      case .bytes(let count): received += buffer[..<count]
      case .ended: hasEnded = true
      case .needsMore: break
      }
      if case .bytes = input { continue }
      return
    }
  }
}

extension TLSServer: ConnectionDelegate {
  package func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    do throws(TLSError) { try advance(bytes) } catch { self.error = error }
    sendOutput()
  }

  package func connectionDidDrain(_ connection: any Connection) {}
  package func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {}
}

/// A client's handshake with a `TLSServer` over a network in memory.
package final class TLSClientFixture {
  package let network: MemoryNetwork
  package let timers = ManualTimers()
  package let near: MemoryConnection
  package let far: MemoryConnection
  package private(set) var result: Result<TLSConnection, TLSError>?
  package private(set) var received: [UInt8] = []
  package private(set) var ends: [ConnectionEnd] = []
  package var onReceive: (() -> Void)?
  package private(set) var handshake: TLSHandshake?

  package init(seed: UInt64 = 1, to host: String = "localhost", trusting file: String = "authority")
    throws
  {
    network = MemoryNetwork(seed: seed)
    (near, far) = network.connect()
    let context = try TLSContext(trusting: TLSFixture.file(file))
    let session = try context.makeSession(with: host)
    handshake = TLSHandshake(over: near, session: session, timers: timers) { [unowned self] in
      result = $0
      if case .success(let connection) = $0 { connection.delegate = self }
    }
  }

  package var connection: TLSConnection? { try? result?.get() }

  package var error: TLSError? {
    if case .failure(let error) = result { error } else { nil }
  }
}

extension TLSClientFixture: ConnectionDelegate {
  package func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { received += $0 }
    onReceive?()
  }

  package func connectionDidDrain(_ connection: any Connection) {}

  package func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    ends.append(end)
  }
}
