import Foundation

/// Standard input, output and error.
package enum StandardDescriptors {
  /// Opens `/dev/null` on each one that is closed. Otherwise a file or a socket that the program
  /// opens gets its number, and the program's output is written into it. Call it before anything
  /// else; ends the program if there is no `/dev/null`.
  package static func openClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      // The system assigns the lowest free number, which is this one.
      guard open("/dev/null", O_RDWR) == descriptor else { exit(ExitCode.ioError.rawValue) }
    }
  }
}
