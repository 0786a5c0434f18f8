package import Foundation

/// The server program in a process of its own, and the resources that it uses.
package final class ServerUnderTest {
  package struct StartError: Error {}

  package let port: UInt16
  private let process = Process()
  private let output = Pipe()

  /// `log` receives the server's log; `nil` is this program's standard error. Throws `StartError` if
  /// the server does not print its port.
  package init(_ path: String, _ arguments: [String], log: FileHandle? = nil) throws {
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["--host", "127.0.0.1", "--port", "0"] + arguments
    process.standardOutput = output
    if let log { process.standardError = log }
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let word = line.split(whereSeparator: \.isWhitespace).last, let port = UInt16(word)
    else { throw StartError() }
    self.port = port
  }

  deinit {
    guard process.isRunning else { return }
    // A stopped process would not end.
    send(SIGCONT)
    process.terminate()
  }

  package var isRunning: Bool { process.isRunning }

  package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// The number of open descriptors.
  package var descriptors: Int {
    let folder = "/proc/\(process.processIdentifier)/fd"
    // Linux 6.2 and later report the number as the folder's size.
    var status = stat()
    if stat(folder, &status) == 0, status.st_size > 0 { return Int(status.st_size) }
    return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }

  /// Its resident memory, in kB.
  package var memory: Int { status(of: "VmRSS:") }

  /// Its peak resident memory, in kB.
  package var peakMemory: Int { status(of: "VmHWM:") }

  /// The processor time that it has used.
  package var processorTime: Duration {
    // The name of the program, which stands in parentheses, may hold spaces (see proc(5)).
    let fields = text(of: "stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      return .zero
    }
    return .seconds(user + system) / sysconf(Int32(_SC_CLK_TCK))
  }

  /// Sends a signal, waits for the end, and returns the exit code.
  package func stop(with signal: Int32 = SIGTERM) -> Int32 {
    send(signal)
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func status(of field: String) -> Int {
    let line = text(of: "status").split(separator: "\n").first { $0.hasPrefix(field) }
    return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
  }

  private func text(of file: String) -> String {
    let path = "/proc/\(process.processIdentifier)/\(file)"
    return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
