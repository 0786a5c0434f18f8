#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Why no connection came about.
package enum ConnectError: Error, Equatable, Sendable {
  case unknownHost(ResolveError)
  /// What the last of the host's addresses answered.
  case failed(SystemError)
  /// The last of the host's addresses did not answer in time.
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
