import Foundation

/// The exit status of a program, with the numbers of BSD's `sysexits.h`.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case ok = 0
  /// A running server has refused the command.
  case refused = 1
  /// The command line cannot be understood.
  case usage = 64
  /// There is no such match, file or folder.
  case noInput = 66
  /// There is no such host.
  case noHost = 68
  /// Cannot connect, cannot listen, or the connection was lost.
  case unavailable = 69
  /// The data of the server is damaged.
  case damaged = 65
  /// The data cannot be written there.
  case cannotCreate = 73
  /// Reading or writing failed, or the program given to `--exec` did.
  case ioError = 74
  /// Another process is the node of a cluster with this name.
  case nodeNameInUse = 76
  /// The configuration file is wrong.
  case configuration = 78
}

/// Writes to standard output and standard error, without a buffer.
package enum StandardOutput {
  /// Writes a text to standard output. If that fails, it prints an error and returns `ioError`. A
  /// terminal that is not in UTF-8 gets ASCII; a file or a pipe gets UTF-8 in every locale.
  package static func write(_ text: String) -> ExitCode {
    let text = isatty(STDOUT_FILENO) == 1 ? readable(text) : text
    return write(Array(text.utf8))
  }

  /// Writes bytes to standard output. If that fails, it prints an error and returns `ioError`.
  package static func write(_ bytes: [UInt8]) -> ExitCode {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(bytes))
      return .ok
    } catch {
      printError("The output cannot be written: \(reason(of: error)).")
      return .ioError
    }
  }

  /// The system's description of an error, without a period. Foundation's own description contains
  /// only its number.
  package static func reason(of error: any Error) -> String {
    if let error = error as? DatabaseError { return error.reason }
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let underlying, underlying.domain == NSPOSIXErrorDomain else {
      if let code = (error as? CocoaError).flatMap({ systemCodes[$0.code] }) {
        return String(cString: strerror(code))
      }
      let description = error.localizedDescription
      return description.hasSuffix(".") ? String(description.dropLast()) : description
    }
    return String(cString: strerror(CInt(underlying.code)))
  }

  /// Errors that Foundation finds itself, without one of the system.
  private static let systemCodes: [CocoaError.Code: CInt] = [
    .fileNoSuchFile: ENOENT, .fileReadNoSuchFile: ENOENT, .fileWriteFileExists: EEXIST,
    .fileReadNoPermission: EACCES, .fileWriteNoPermission: EACCES,
    .fileWriteOutOfSpace: ENOSPC, .fileWriteVolumeReadOnly: EROFS,
  ]

  /// Writes a sentence to standard error, after the program's name, as one line. Quoted arguments
  /// and server texts are made printable, and ASCII where the locale is not UTF-8.
  package static func printError(_ sentence: String) { printError(lines: [sentence]) }

  /// Writes a sentence, which is the first line, and lines below it.
  package static func printError(lines: [String]) {
    let program = "\(ProcessInfo.processInfo.processName): "
    let text = lines.enumerated().map { ($0 == 0 ? program : "") + $1 }
      .map { readable(String($0.map(\.displayable))) + "\n" }.joined()
    // If even this fails, there is nowhere left to report it.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Returns the text as the locale can show it.
  private static func readable(_ text: String) -> String {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    guard !isASCII, !LocaleEncoding.isUTF8(in: ProcessInfo.processInfo.environment) else {
      return text
    }
    return text.map { $0.isASCII ? String($0) : $0.asciiText }.joined()
  }
}
