import Shared

/// The reason why a TLS handshake, or the session after it, failed.
enum TLSError: Error, Equatable {
  /// The other end speaks another protocol.
  case notTLS
  /// The server closed the connection during the handshake.
  case closed
  case broken(SystemError)
  case timedOut
  case certificate(CertificateProblem)
  /// One end refused what the other one sent. With the library's reason.
  case refused(String)
}

/// The reason why a certificate is not trusted.
enum CertificateProblem: Equatable {
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
  /// For people: says what to do. With an address of usual length it has room in the form.
  func sentence(for address: ServerAddress) -> String {
    switch self {
    case .notTLS:
      "The server at \(address) does not use TLS. Name another port, or connect without --tls; then"
        + " nothing is encrypted."
    case .closed:
      "The server at \(address) has closed the connection during the TLS handshake."
        + " Does it use TLS on that port?"
    case .broken(let error):
      "The connection to \(address) broke during the TLS handshake: \(error.reason)."
        + " Does the server use TLS on that port?"
    case .timedOut:
      "The server at \(address) does not answer the TLS handshake. Does it use TLS on that port?"
    case .certificate(let problem):
      "The certificate of \(address) \(problem.sentenceEnd)"
    case .refused(let reason):
      "The server at \(address) and this client cannot agree on TLS: \(reason)."
        + " The server needs TLS 1.2 or later."
    }
  }
}

extension CertificateProblem {
  fileprivate var sentenceEnd: String {
    switch self {
    case .expired:
      "has expired. Ask the administrator to renew it, and check the clock of this computer."
    case .notYetValid:
      "is not valid yet. Check the clock of this computer."
    case .otherHost:
      "is for another name or address, so it may be another server. Connect to the name for which"
        + " it was issued."
    case .noName:
      "names no host: it has no subject alternative name, and a common name does not count. Ask the"
        + " administrator to replace it."
    case .incompleteChain:
      "has an unknown issuer. Perhaps the server must send the full chain with intermediate"
        + " certificates, or you need --tls-ca."
    case .unknownAuthority:
      "was not issued by an authority that this client trusts. If you have got a certificate, name"
        + " its file with --tls-ca."
    case .other(let reason):
      "cannot be trusted: \(reason). Ask the administrator to replace it."
    }
  }
}
