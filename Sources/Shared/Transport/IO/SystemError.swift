#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A system call that failed.
package struct SystemError: Error, Equatable, Sendable {
  /// The call's name, as in its manual page.
  package let call: String
  /// `errno` after the call.
  package let code: Int32

  package init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// A non-blocking call had nothing to do now.
  package var isWouldBlock: Bool { code == EAGAIN || code == EWOULDBLOCK }
}

extension SystemError: CustomStringConvertible {
  /// For people: "Address already in use".
  package var reason: String { String(cString: strerror(code)) }

  /// For people: "bind: Address already in use".
  package var description: String { "\(call): \(reason)" }
}

/// Every system call that can fail passes here: one that a signal interrupted is made again, and
/// -1 becomes an error that names the call. Not for `close`, whose descriptor is gone even where it
/// was interrupted, and not for waits, which must look at the clock again.
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

/// How many bytes a call took; 0 where it had no room for one now.
@inline(__always)
func countUnlessBlocked(_ call: () throws(SystemError) -> Int) throws(SystemError) -> Int {
  do throws(SystemError) {
    return try call()
  } catch {
    guard error.isWouldBlock else { throw error }
    return 0
  }
}
