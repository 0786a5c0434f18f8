/// The reason why a TLS handshake, or the session after it, failed.
package enum TLSError: Error, Equatable {
  /// The other end speaks another protocol.
  case notTLS
  /// The peer closed the connection during the handshake.
  case closed
  case broken(SystemError)
  case timedOut
  case certificate(CertificateProblem)
  /// The peer asks for a certificate, and this end has none.
  case certificateWanted
  /// The peer does not trust the certificate of this end. With a reason for people.
  case certificateRefused(String)
  /// One end refused what the other one sent. With the library's reason.
  case refused(String)
}

/// The reason why a certificate is not trusted.
package enum CertificateProblem: Equatable {
  case expired, notYetValid
  /// It is for another name or address.
  case otherHost
  /// It has no subject alternative name, so it is for no host.
  case noName
  case unknownAuthority
  /// Its issuer is unknown, and the server has not sent the issuer's certificate. The server leaves
  /// out an intermediate certificate, or the authority itself is unknown.
  case incompleteChain
  /// With the library's reason.
  case other(String)

  /// Makes a problem of a result of `SSL_get_verify_result`: an `X509_V_ERR_` constant. `hasIssuer`
  /// is whether the server has sent the certificate of the issuer, `hasNames` whether its own one
  /// has a subject alternative name.
  init(_ result: CLong, reason: String, hasIssuer: Bool, hasNames: Bool) {
    self =
      switch result {
      case 9: .notYetValid
      case 10: .expired
      // No issuer, or a root or a certificate without one that is not trusted.
      case 2, 18, 19, 20, 21: hasIssuer ? .unknownAuthority : .incompleteChain
      case 62, 64: hasNames ? .otherHost : .noName
      default: .other(reason)
      }
  }
}

extension TLSError {
  /// Reads an alert of the peer that is about the certificate of this end; `nil` for another reason
  /// of the library. For alerts they are 1000 and the number of the alert (RFC 8446, 6.2).
  init?(alert: Int, reason: String) {
    switch alert {
    case 1_116: self = .certificateWanted
    case 1_045: self = .certificateRefused("it has expired")
    case 1_048: self = .certificateRefused("its issuer is unknown there")
    case 1_042...1_046: self = .certificateRefused(reason)
    default: return nil
    }
  }
}

/// The words for the two ends of a connection, and what a person can do.
package struct TLSWording: Sendable {
  /// What the peer is, and this end: “server”, “client”.
  let peer: String
  let own: String
  /// What to do if the peer does not use TLS. A sentence.
  let withoutTLS: String
  /// What names the file with the certificates to trust: `--tls-ca`.
  let authorityOption: String
  /// What to do if the peer asks for a certificate. A sentence.
  let certificate: String

  package init(
    peer: String, own: String, withoutTLS: String, authorityOption: String, certificate: String
  ) {
    self.peer = peer
    self.own = own
    self.withoutTLS = withoutTLS
    self.authorityOption = authorityOption
    self.certificate = certificate
  }
}

extension TLSError {
  /// For people: says what to do. With an address of usual length it has room in the client's form.
  package func sentence(for address: String, _ words: TLSWording) -> String {
    switch self {
    case .notTLS:
      "The \(words.peer) at \(address) does not use TLS. \(words.withoutTLS)"
    case .closed:
      "The \(words.peer) at \(address) has closed the connection during the TLS handshake."
        + " Does it use TLS on that port?"
    case .broken(let error):
      "The connection to \(address) broke during the TLS handshake: \(error.reason)."
        + " Does the \(words.peer) use TLS on that port?"
    case .timedOut:
      "The \(words.peer) at \(address) does not answer the TLS handshake."
        + " Does it use TLS on that port?"
    case .certificate(let problem):
      "The certificate of \(address) \(problem.sentenceEnd(words))"
    case .certificateWanted:
      "The \(words.peer) at \(address) asks for a certificate. \(words.certificate)"
    case .certificateRefused(let reason):
      "The \(words.peer) at \(address) does not accept the certificate of this \(words.own):"
        + " \(reason)."
    case .refused(let reason):
      "The \(words.peer) at \(address) and this \(words.own) cannot agree on TLS: \(reason)."
        + " The \(words.peer) needs TLS 1.2 or later."
    }
  }
}

extension CertificateProblem {
  fileprivate func sentenceEnd(_ words: TLSWording) -> String {
    switch self {
    case .expired:
      "has expired. Ask the administrator to renew it, and check the clock of this computer."
    case .notYetValid:
      "is not valid yet. Check the clock of this computer."
    case .otherHost:
      "is for another name or address, so it may be another \(words.peer). Connect to the name for"
        + " which it was issued."
    case .noName:
      "names no host: it has no subject alternative name, and a common name does not count. Ask the"
        + " administrator to replace it."
    case .incompleteChain:
      "has an unknown issuer. Perhaps the \(words.peer) must send the full chain with intermediate"
        + " certificates, or you need \(words.authorityOption)."
    case .unknownAuthority:
      "was not issued by an authority that this \(words.own) trusts. If you have got a certificate,"
        + " name its file with \(words.authorityOption)."
    case .other(let reason):
      "cannot be trusted: \(reason). Ask the administrator to replace it."
    }
  }
}
