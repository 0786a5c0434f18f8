import Foundation
import Shared
import TestSupport

@main
enum AttackMain {
  static func main() {
    DescriptorLimit.raise()
    do {
      switch try AttackOptions.parse(Array(CommandLine.arguments.dropFirst())) {
      case .test(let options): exit(try AttackSuite(options).run() ? 0 : 1)
      case .attack(let attack, let port, let time):
        try AttackerProgram.run(attack, port: port, time: time)
      case .list: for attack in Attack.all { print("\(attack.name): \(attack.about)") }
      case .help: print(AttackOptions.help, terminator: "")
      }
    } catch let error as UsageError {
      print("\(error.message) To see how it is used, type: Attack --help")
      exit(64)
    } catch {
      print("The attacks cannot continue: \(error).")
      exit(74)
    }
  }
}
