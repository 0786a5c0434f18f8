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
      let result = try result(of: attack)
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

  /// Carries out an attack. Other work of the machine makes a line dearer and never cheaper, so an
  /// attack whose lines cost too much is carried out up to two times more.
  private func result(of attack: Attack) throws -> AttackResult {
    for _ in 0..<2 {
      let result = try AttackRun(attack, options, loop: loop, echo: echo).run()
      guard let failure = result.lineCostFailure else { return result }
      print("\(attack.name): \(failure), so it is carried out again")
    }
    return try AttackRun(attack, options, loop: loop, echo: echo).run()
  }
}
