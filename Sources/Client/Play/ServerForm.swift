import Shared

/// What can be seen here of whether a form makes sense to a server.
enum ServerForm {
  /// The number of a port to connect to; `nil` where it is none.
  static func port(_ value: String) -> UInt16? {
    UInt16(value.trimmed).flatMap { $0 > 0 ? $0 : nil }
  }
}
