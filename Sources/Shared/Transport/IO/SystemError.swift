#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A system call that failed.
package struct SystemError: Error, Equatable, Sendable {
  /// The name of the call, as in its manual page.
  package let call: String
  /// `errno` after the call.
  package let code: Int32

  /// An error of a call with a code of `errno`.
  package init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// Whether a non-blocking call would have had to wait.
  package var isWouldBlock: Bool { code == EAGAIN || code == EWOULDBLOCK }
}

extension SystemError: CustomStringConvertible {
  /// For people: "Address already in use".
  package var reason: String { String(cString: strerror(code)) }

  /// For people: "bind: Address already in use".
  package var description: String { "\(call): \(reason)" }
}

/// Makes a system call, and repeats it if a signal interrupted it. Every system call that can fail
/// is made through this function, except `close`, which frees its descriptor even if it is
/// interrupted, and waits, which must read the clock again.
///
/// - Throws: an error with the call's name if the call returns -1.
@inline(__always)
package func systemCall<Value: SignedInteger>(
  _ name: String, _ call: () -> Value
) throws(SystemError) -> Value {
  while true {
    let value = call()
    guard value == -1 else { return value }
    let code = errno
    guard code == EINTR else { throw SystemError(call: name, code: code) }
  }
}

/// Returns the number of bytes that a call processed; 0 if the call would have had to wait.
///
/// - Throws: any other error of the call.
@inline(__always)
func countUnlessBlocked(_ call: () throws(SystemError) -> Int) throws(SystemError) -> Int {
  do throws(SystemError) {
    return try call()
  } catch {
    guard error.isWouldBlock else { throw error }
    return 0
  }
}
