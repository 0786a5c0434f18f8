import Foundation
import Shared
import TestSupport

/// Carries out the attacks, each against a server of its own, and prints the results.
final class AttackSuite {
  private let options: AttackOptions
  private let loop: EventLoop
  private let echo: EchoControl

  init(_ options: AttackOptions) throws {
    self.options = options
    loop = try EventLoop()
    echo = try EchoControl(loop: loop)
  }

  /// Returns whether all thresholds were met.
  func run() throws -> Bool {
    var results: [AttackResult] = []
    for attack in options.attacks {
      let run = try AttackRun(attack, options, loop: loop, echo: echo)
      let result = try run.run()
      results.append(result)
      print("\(attack.name): \(attack.about)")
      for note in result.notes { print("  \(note)") }
      for failure in result.failures { print("  FAILED: \(failure).") }
      fflush(nil)
    }
    print("\n\(AttackResult.tableHead)")
    for result in results { print(result.tableRow) }
    let failed = results.count { !$0.failures.isEmpty }
    print(
      failed == 0
        ? "\nThe server passed all \(results.count) attacks."
        : "\nThe server failed \(failed) of \(results.count) attacks.")
    return failed == 0
  }
}
