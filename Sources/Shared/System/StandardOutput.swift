import Foundation

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

/// The standard output and error of a program, written at once and without a buffer.
package enum StandardOutput {
  /// Answers `ioError` where it cannot be written.
  package static func write(_ text: String) -> ExitCode {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
      return .ok
    } catch {
      printError("The output cannot be written: \(reason(of: error)).")
      return .ioError
    }
  }

  /// What the system said; Foundation's own words hide it behind a number.
  static func reason(of error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let underlying, underlying.domain == NSPOSIXErrorDomain else {
      return error.localizedDescription
    }
    return String(cString: strerror(CInt(underlying.code)))
  }

  /// Says on standard error, behind the program's name, what went wrong: one line. What the sentence
  /// cites is made printable, be it an argument or what a server says.
  package static func printError(_ sentence: String) {
    let program = ProcessInfo.processInfo.processName
    let line = String("\(program): \(sentence)".map(\.displayable)) + "\n"
    // Where even this cannot be written, nobody is left to be told.
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }
}
