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

/// Attacks a server that runs already, and ends by itself.
enum AttackerProgram {
  /// Carries out the phases of an attack, each for `time`.
  static func run(_ attack: Attack, port: UInt16, time: Duration) throws {
    let loop = try EventLoop()
    let context = AttackerContext(loop: loop, port: port)
    var attackers: [any Attacker] = []
    for phase in attack.phases {
      let attacker = phase(context)
      attackers.last?.stop()
      attackers.append(attacker)
      attacker.begin()
      let end = loop.now + time
      while loop.now < end { try loop.turn(wait: end - loop.now) }
    }
    print(context.report.text, terminator: "")
    fflush(nil)
    // The system closes the open connections, as it does when a program is killed.
    _exit(0)
  }
}

/// What the attacker's process reports to the process that started it.
struct AttackerReport {
  /// How many lines the attacker received.
  let receivedLines: Int
  /// What it opened and received, for a person.
  let summary: String

  init(receivedLines: Int, summary: String) {
    self.receivedLines = receivedLines
    self.summary = summary
  }

  /// Reads what `text` returns; `nil` for anything else.
  init?(_ text: String) {
    let lines = text.split(separator: "\n")
    guard lines.count == 2, let count = Int(lines[0]) else { return nil }
    self.init(receivedLines: count, summary: String(lines[1]))
  }

  var text: String { "\(receivedLines)\n\(summary)\n" }
}
