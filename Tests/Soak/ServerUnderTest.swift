import Foundation

/// The server program in a process of its own, and what its system says of it.
final class ServerUnderTest {
  struct Failure: Error {}

  let port: UInt16
  private let process = Process()
  private let output = Pipe()

  init(_ path: String, _ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["--host", "127.0.0.1", "--port", "0"] + arguments
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let word = line.split(whereSeparator: \.isWhitespace).last, let port = UInt16(word)
    else { throw Failure() }
    self.port = port
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  var isRunning: Bool { process.isRunning }

  /// How many descriptors it has open.
  var descriptors: Int {
    let folder = "/proc/\(process.processIdentifier)/fd"
    return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }

  /// How much memory it has, in kB.
  var memory: Int {
    let file = "/proc/\(process.processIdentifier)/status"
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
  }

  /// Asks it to stop, and answers its exit code.
  func stop() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
