package import Foundation

/// The server program in a process of its own, and what its system says of it.
package final class ServerUnderTest {
  package struct Failure: Error {}

  package let port: UInt16
  private let process = Process()
  private let output = Pipe()

  /// `log` takes the server's log; `nil` is this program's standard error.
  package init(_ path: String, _ arguments: [String], log: FileHandle? = nil) throws {
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["--host", "127.0.0.1", "--port", "0"] + arguments
    process.standardOutput = output
    if let log { process.standardError = log }
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let word = line.split(whereSeparator: \.isWhitespace).last, let port = UInt16(word)
    else { throw Failure() }
    self.port = port
  }

  deinit {
    guard process.isRunning else { return }
    // One that is stopped would never end.
    send(SIGCONT)
    process.terminate()
  }

  package var isRunning: Bool { process.isRunning }

  package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// How many descriptors it has open.
  package var descriptors: Int {
    let folder = "/proc/\(process.processIdentifier)/fd"
    // Linux 6.2 and later have the number at hand.
    var status = stat()
    if stat(folder, &status) == 0, status.st_size > 0 { return Int(status.st_size) }
    return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }

  /// How much memory it has, in kB.
  package var memory: Int { status(of: "VmRSS:") }

  /// The most memory that it has ever had, in kB.
  package var peakMemory: Int { status(of: "VmHWM:") }

  /// How long it has kept a processor busy.
  package var processorTime: Duration {
    // The name of the program, which stands in parentheses, may hold spaces (see proc(5)).
    let fields = text(of: "stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
      return .zero
    }
    return .seconds(user + system) / sysconf(Int32(_SC_CLK_TCK))
  }

  /// Asks it to stop, and answers its exit code.
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
