/// One end of a TLS connection, as a filter: bytes of the network on one side, plain bytes on the
/// other. It makes no system call.
package final class TLSSession {
  /// The result of a read.
  package enum Input: Equatable {
    case bytes(Int)
    /// Everything that has arrived was read.
    case needsMore
    /// The peer has said that it sends no more (`close_notify`).
    case ended
  }

  /// The types of the records with which a server may begin: alert and handshake (RFC 8446, 5.1).
  private static let firstBytes: ClosedRange<UInt8> = 0x15...0x16

  /// SSL_ERROR_WANT_READ and SSL_ERROR_ZERO_RETURN.
  private static let wantsInput: CInt = 2
  private static let ended: CInt = 6

  private let openSSL: OpenSSL
  private let handle: OpenSSL.Handle?
  /// Bytes from the network, and for it. They belong to the handle.
  private let input: OpenSSL.Handle?
  private let output: OpenSSL.Handle?
  private var hasInput = false

  /// Takes over an `SSL` whose role is set.
  package init(_ openSSL: OpenSSL, _ handle: OpenSSL.Handle?) {
    self.openSSL = openSSL
    self.handle = handle
    input = openSSL.makeBuffer(openSSL.memory())
    output = openSSL.makeBuffer(openSSL.memory())
    openSSL.setBuffers(handle, input, output)
  }

  deinit { openSSL.free(handle) }

  /// Takes bytes from the network.
  ///
  /// - Throws: `notTLS` if they are the first ones and no TLS.
  package func receive(_ bytes: Span<UInt8>) throws(TLSError) {
    guard !bytes.isEmpty else { return }
    if !hasInput, !Self.firstBytes.contains(bytes[0]) { throw .notTLS }
    hasInput = true
    _ = bytes.withUnsafeBytes { openSSL.writeBuffer(input, $0.baseAddress, CInt($0.count)) }
  }

  /// Goes on with the handshake as far as possible. Returns whether it is complete.
  ///
  /// - Throws: if the peer is refused, or refuses. `output` then has the reason for the peer.
  package func handshake() throws(TLSError) -> Bool {
    openSSL.clearErrors()
    let result = openSSL.handshake(handle)
    if result == 1 { return true }
    guard openSSL.error(handle, result) == Self.wantsInput else { throw error }
    return false
  }

  /// Reads plain bytes.
  ///
  /// - Throws: if what has arrived is not what the peer has sent. The session is over then.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> Input {
    openSSL.clearErrors()
    let result = openSSL.read(handle, buffer.baseAddress, CInt(buffer.count))
    if result > 0 { return .bytes(Int(result)) }
    switch openSSL.error(handle, result) {
    case Self.wantsInput: return .needsMore
    case Self.ended: return .ended
    default: throw error
    }
  }

  /// Encrypts plain bytes after the handshake. This fails only after a read has failed.
  package func write(_ bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    openSSL.clearErrors()
    _ = bytes.withUnsafeBytes { openSSL.write(handle, $0.baseAddress, CInt($0.count)) }
  }

  /// Says that no more bytes follow.
  package func end() {
    openSSL.clearErrors()
    _ = openSSL.shutDown(handle)
  }

  /// Calls `send` with the bytes for the network.
  package func takeOutput(_ send: (Span<UInt8>) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
      while true {
        let count = openSSL.readBuffer(output, buffer.baseAddress, CInt(buffer.count))
        guard count > 0 else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<Int(count)])
        bytes.withMemoryRebound(to: UInt8.self) { send($0.span) }
      }
    }
  }

  /// NID_subject_alt_name.
  private static let alternativeName: CInt = 85

  /// Whether the peer's certificate has a subject alternative name.
  private var hasNames: Bool {
    let certificate = openSSL.element(openSSL.peerChain(handle), 0)
    return certificate != nil
      && openSSL.extensionIndex(certificate, Self.alternativeName, -1) >= 0
  }

  /// Whether the peer has sent the certificate of its certificate's issuer. A certificate can be
  /// its own issuer.
  private var hasIssuer: Bool {
    let chain = openSSL.peerChain(handle)
    let certificate = openSSL.element(chain, 0)
    guard certificate != nil else { return true }
    return (0..<openSSL.count(chain)).contains { index in
      // X509_V_OK.
      openSSL.isIssuer(openSSL.element(chain, index), certificate) == 0
    }
  }

  /// ERR_GET_REASON, for the reasons that matter here.
  private static let reasonBits: CUnsignedLong = 0xFFF

  private var error: TLSError {
    let result = openSSL.verifyResult(handle)
    guard result == 0 else {
      let reason = openSSL.verifyReason(result).map { String(cString: $0) }
      return .certificate(
        CertificateProblem(
          result, reason: reason ?? "error \(result)", hasIssuer: hasIssuer, hasNames: hasNames))
    }
    let code = openSSL.firstError()
    let reason = openSSL.reason(code).map { String(cString: $0) } ?? "unknown error"
    return TLSError(alert: Int(code & Self.reasonBits), reason: reason) ?? .refused(reason)
  }
}
