/// The `id` that a command may carry; the line that answers it carries the same value as `re`.
package enum RequestID: Hashable, Sendable {
  /// At most 2^53 − 1 in size.
  case integer(Int)
  /// 1 to 32 Unicode scalars.
  case text(String)
}
