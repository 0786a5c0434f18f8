import Foundation
import Shared

/// The attacker, in a process of its own: its work must not delay the clocks of the honest clients.
final class AttackerProcess {
  private let process = Process()
  private let output = Pipe()

  init(_ attack: Attack, _ port: UInt16, _ time: Duration) throws {
    process.executableURL = Bundle.main.executableURL
    process.arguments = [
      "--attacker", attack.name, "--port", "\(port)", "--for", "\(time.milliseconds)ms",
    ]
    process.standardOutput = output
    try process.run()
  }

  var isRunning: Bool { process.isRunning }

  /// Ends the attacker if it still runs, and returns its report; `nil` if it had to be ended.
  func stop() -> AttackerReport? {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    return AttackerReport(
      String(decoding: output.fileHandleForReading.availableData, as: UTF8.self))
  }
}
