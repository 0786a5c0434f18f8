import Foundation

/// What all TLS connections to the same peers share: the library, the certificates to trust, and
/// the certificate of this end.
package final class TLSContext {
  private enum Control {
    /// SSL_CTRL_SET_MIN_PROTO_VERSION.
    static let setMinVersion: CInt = 123
    /// SSL_CTRL_SET_TLSEXT_HOSTNAME.
    static let setServerName: CInt = 55
  }

  /// TLS1_2_VERSION.
  private static let tls12: CLong = 0x0303
  /// SSL_OP_NO_RENEGOTIATION.
  private static let noRenegotiation: UInt64 = 1 << 30
  /// SSL_VERIFY_PEER: the handshake fails unless the certificate is trusted.
  private static let verifyPeer: CInt = 1
  /// X509_V_FLAG_PARTIAL_CHAIN: each certificate of a file is trusted, also that of a server.
  private static let partialChain: CUnsignedLong = 0x80000
  /// SSL_FILETYPE_PEM.
  private static let pem: CInt = 1
  /// X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS: `*.example.org`, but not `play*.example.org`.
  private static let noPartialWildcards: CUnsignedInt = 0x4
  /// X509_CHECK_FLAG_NEVER_CHECK_SUBJECT: only a subject alternative name counts, even if there is
  /// none (RFC 9525, 6.3).
  private static let neverCommonName: CUnsignedInt = 0x20

  private let openSSL: OpenSSL
  private let handle: OpenSSL.Handle

  /// Trusts the certificates in a file in PEM format; those of the system without a file.
  ///
  /// - Throws: `SystemLibrary.MissingError` without the library, `ConfigurationError` if a file
  ///   cannot be used.
  package init(trusting authorities: TLSFile?, presenting identity: TLSIdentity? = nil) throws {
    openSSL = try OpenSSL(OpenSSL.load())
    guard let handle = openSSL.makeContext(openSSL.clientMethod()) else {
      throw ConfigurationError(message: "OpenSSL cannot be used: its configuration is wrong.")
    }
    self.handle = handle
    _ = openSSL.controlContext(handle, Control.setMinVersion, Self.tls12, nil)
    _ = openSSL.setOptions(handle, Self.noRenegotiation)
    openSSL.setVerification(handle, Self.verifyPeer, nil)
    if let identity { try present(identity) }
    guard let authorities else {
      // Without the system's certificates, each server's is signed by an unknown authority.
      _ = openSSL.trustSystem(handle)
      return
    }
    guard openSSL.trustFile(handle, authorities.path, nil) == 1 else {
      throw authorities.unusable(because: "it has no certificates in PEM format")
    }
  }

  private func present(_ identity: TLSIdentity) throws(ConfigurationError) {
    // Without a reader OpenSSL asks for the password of a key at the terminal.
    openSSL.setPasswordReader(handle) { _, _, _, _ in 0 }
    let (certificate, key) = (identity.certificate, identity.key)
    guard openSSL.useCertificate(handle, certificate.path) == 1 else {
      throw certificate.unusable(because: "it has no certificate in PEM format")
    }
    guard openSSL.useKey(handle, key.path, Self.pem) == 1 else {
      throw key.unusable(
        because: "it has no key in PEM format without a password that belongs to the certificate")
    }
  }

  deinit { openSSL.freeContext(handle) }

  /// Makes a session with the server of that name or address, for whose certificate it will ask.
  ///
  /// - Throws: if no certificate can be for that host. OpenSSL would check none then.
  package func makeSession(with host: String) throws(TLSError) -> TLSSession {
    guard let session = openSSL.make(handle) else { throw .refused("out of memory") }
    openSSL.beClient(session)
    // Frees the handle if this method throws.
    let result = TLSSession(openSSL, session)
    let parameters = openSSL.parameters(session)
    _ = openSSL.setFlags(parameters, Self.partialChain)
    openSSL.setHostFlags(session, Self.noPartialWildcards | Self.neverCommonName)
    // A certificate names neither the zone of an address nor the root of the name system.
    let host = String(host.prefix { $0 != "%" })
    if IPAddress(host) != nil {
      guard openSSL.setAddress(parameters, host) == 1 else { throw .certificate(.otherHost) }
    } else {
      let name = host.hasSuffix(".") ? String(host.dropLast()) : host
      guard !name.isEmpty, openSSL.setHostName(session, name) == 1 else {
        throw .certificate(.otherHost)
      }
      _ = name.withCString {
        openSSL.control(session, Control.setServerName, 0, UnsafeMutableRawPointer(mutating: $0))
      }
    }
    return result
  }
}

/// A file in PEM format, and the option that names it.
package struct TLSFile: Equatable, Sendable {
  package let path: String
  let option: String

  package init(_ path: String, of option: String) {
    self.path = path
    self.option = option
  }

  fileprivate func unusable(because reason: String) -> ConfigurationError {
    let reason = access(path, R_OK) == 0 ? reason : String(cString: strerror(errno))
    return ConfigurationError(
      message: "\(path), the file of \(option), cannot be used: \(reason).")
  }
}

/// The certificate with which this end shows who it is, and its key.
package struct TLSIdentity: Equatable, Sendable {
  package let certificate: TLSFile
  /// May be in the same file.
  package let key: TLSFile

  package init(certificate: TLSFile, key: TLSFile) {
    self.certificate = certificate
    self.key = key
  }
}
