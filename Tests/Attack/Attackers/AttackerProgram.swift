import Foundation
import Shared

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
