/// How a program ends, with the numbers of BSD's `sysexits.h`.
package enum ExitCode: Int32, Sendable {
  case ok = 0
  /// The command line cannot be understood.
  case usage = 64
  /// There is no such host.
  case noHost = 68
  /// Cannot connect, cannot listen, or the server went away.
  case unavailable = 69
  /// Reading or writing failed, or the program that plays did.
  case ioError = 74
}
