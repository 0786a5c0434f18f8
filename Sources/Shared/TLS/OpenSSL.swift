/// The functions of OpenSSL (1.1 or later) that both programs use; see
/// https://docs.openssl.org/3.0/man3/.
package struct OpenSSL: Sendable {
  /// A context, a connection, a buffer, the parameters of a verification, or a certificate.
  package typealias Handle = OpaquePointer

  /// Writes the password of a key, and returns its length.
  package typealias PasswordReader =
    @convention(c) (UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?) -> CInt

  package let clientMethod: @Sendable @convention(c) () -> Handle?
  package let makeContext: @Sendable @convention(c) (Handle?) -> Handle?
  package let freeContext: @Sendable @convention(c) (Handle?) -> Void
  package let controlContext:
    @Sendable @convention(c) (Handle?, CInt, CLong, UnsafeMutableRawPointer?) -> CLong
  package let setOptions: @Sendable @convention(c) (Handle?, UInt64) -> UInt64
  package let setVerification: @Sendable @convention(c) (Handle?, CInt, UnsafeRawPointer?) -> Void
  package let trustSystem: @Sendable @convention(c) (Handle?) -> CInt
  package let trustFile:
    @Sendable @convention(c) (Handle?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> CInt
  package let useCertificate: @Sendable @convention(c) (Handle?, UnsafePointer<CChar>?) -> CInt
  package let useKey: @Sendable @convention(c) (Handle?, UnsafePointer<CChar>?, CInt) -> CInt
  package let setPasswordReader: @Sendable @convention(c) (Handle?, PasswordReader?) -> Void
  package let make: @Sendable @convention(c) (Handle?) -> Handle?
  package let free: @Sendable @convention(c) (Handle?) -> Void
  package let setBuffers: @Sendable @convention(c) (Handle?, Handle?, Handle?) -> Void
  package let beClient: @Sendable @convention(c) (Handle?) -> Void
  package let control:
    @Sendable @convention(c) (Handle?, CInt, CLong, UnsafeMutableRawPointer?) -> CLong
  package let setHostName: @Sendable @convention(c) (Handle?, UnsafePointer<CChar>?) -> CInt
  package let setHostFlags: @Sendable @convention(c) (Handle?, CUnsignedInt) -> Void
  package let parameters: @Sendable @convention(c) (Handle?) -> Handle?
  package let setAddress: @Sendable @convention(c) (Handle?, UnsafePointer<CChar>?) -> CInt
  package let setFlags: @Sendable @convention(c) (Handle?, CUnsignedLong) -> CInt
  package let handshake: @Sendable @convention(c) (Handle?) -> CInt
  package let read: @Sendable @convention(c) (Handle?, UnsafeMutableRawPointer?, CInt) -> CInt
  package let write: @Sendable @convention(c) (Handle?, UnsafeRawPointer?, CInt) -> CInt
  package let shutDown: @Sendable @convention(c) (Handle?) -> CInt
  package let error: @Sendable @convention(c) (Handle?, CInt) -> CInt
  package let verifyResult: @Sendable @convention(c) (Handle?) -> CLong
  package let verifyReason: @Sendable @convention(c) (CLong) -> UnsafePointer<CChar>?
  package let peerChain: @Sendable @convention(c) (Handle?) -> Handle?
  package let count: @Sendable @convention(c) (Handle?) -> CInt
  package let element: @Sendable @convention(c) (Handle?, CInt) -> Handle?
  package let extensionIndex: @Sendable @convention(c) (Handle?, CInt, CInt) -> CInt
  package let isIssuer: @Sendable @convention(c) (Handle?, Handle?) -> CInt
  package let memory: @Sendable @convention(c) () -> Handle?
  package let makeBuffer: @Sendable @convention(c) (Handle?) -> Handle?
  package let readBuffer: @Sendable @convention(c) (Handle?, UnsafeMutableRawPointer?, CInt) -> CInt
  package let writeBuffer: @Sendable @convention(c) (Handle?, UnsafeRawPointer?, CInt) -> CInt
  package let clearErrors: @Sendable @convention(c) () -> Void
  package let firstError: @Sendable @convention(c) () -> CUnsignedLong
  package let reason: @Sendable @convention(c) (CUnsignedLong) -> UnsafePointer<CChar>?

  /// Loads libssl, and with it libcrypto.
  ///
  /// - Throws: a sentence with the package to install.
  package static func load() throws(SystemLibrary.MissingError) -> SystemLibrary {
    // On a Mac only by the names of a package manager: the system ends a program that loads its own
    // libssl.
    try SystemLibrary(
      anyOf: [
        "libssl.so.3", "libssl.so.4", "libssl.so.1.1", "libssl.so",
        "/opt/homebrew/opt/openssl@3/lib/libssl.3.dylib",
        "/usr/local/opt/openssl@3/lib/libssl.3.dylib", "/opt/local/lib/libssl.3.dylib",
      ],
      named: "libssl of OpenSSL",
      hint: "TLS needs it. Install it: on Debian and Ubuntu, apt install libssl3; on Fedora,"
        + " dnf install openssl-libs; on a Mac, brew install openssl@3.")
  }

  /// Finds the functions in the library.
  ///
  /// - Throws: if one is missing.
  package init(_ library: SystemLibrary) throws(SystemLibrary.MissingError) {
    clientMethod = try library.function("TLS_client_method")
    makeContext = try library.function("SSL_CTX_new")
    freeContext = try library.function("SSL_CTX_free")
    controlContext = try library.function("SSL_CTX_ctrl")
    setOptions = try library.function("SSL_CTX_set_options")
    setVerification = try library.function("SSL_CTX_set_verify")
    trustSystem = try library.function("SSL_CTX_set_default_verify_paths")
    trustFile = try library.function("SSL_CTX_load_verify_locations")
    useCertificate = try library.function("SSL_CTX_use_certificate_chain_file")
    useKey = try library.function("SSL_CTX_use_PrivateKey_file")
    setPasswordReader = try library.function("SSL_CTX_set_default_passwd_cb")
    make = try library.function("SSL_new")
    free = try library.function("SSL_free")
    setBuffers = try library.function("SSL_set_bio")
    beClient = try library.function("SSL_set_connect_state")
    control = try library.function("SSL_ctrl")
    setHostName = try library.function("SSL_set1_host")
    setHostFlags = try library.function("SSL_set_hostflags")
    parameters = try library.function("SSL_get0_param")
    setAddress = try library.function("X509_VERIFY_PARAM_set1_ip_asc")
    setFlags = try library.function("X509_VERIFY_PARAM_set_flags")
    handshake = try library.function("SSL_do_handshake")
    read = try library.function("SSL_read")
    write = try library.function("SSL_write")
    shutDown = try library.function("SSL_shutdown")
    error = try library.function("SSL_get_error")
    verifyResult = try library.function("SSL_get_verify_result")
    verifyReason = try library.function("X509_verify_cert_error_string")
    peerChain = try library.function("SSL_get_peer_cert_chain")
    count = try library.function("OPENSSL_sk_num")
    element = try library.function("OPENSSL_sk_value")
    extensionIndex = try library.function("X509_get_ext_by_NID")
    isIssuer = try library.function("X509_check_issued")
    memory = try library.function("BIO_s_mem")
    makeBuffer = try library.function("BIO_new")
    readBuffer = try library.function("BIO_read")
    writeBuffer = try library.function("BIO_write")
    clearErrors = try library.function("ERR_clear_error")
    firstError = try library.function("ERR_peek_error")
    reason = try library.function("ERR_reason_error_string")
  }
}
