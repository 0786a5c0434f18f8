import Foundation
import Shared
import TestSupport

@main
enum SoakMain {
  static func main() {
    do {
      let options = try SoakOptions.parse(Array(CommandLine.arguments.dropFirst()))
      DescriptorLimit.raise()
      exit(try Soak(options).run() ? 0 : 1)
    } catch let error as UsageError {
      print("\(error.message) \(SoakOptions.usage)")
      exit(64)
    } catch {
      print("The soak cannot continue: \(error).")
      exit(74)
    }
  }
}

/// The command line of the soak.
struct SoakOptions {
  var server = ""
  var matches = 100
  var time: Duration = .seconds(10)
  var seed: UInt64 = 1

  static let usage = "Usage: Soak SERVER [--matches COUNT] [--for TIME] [--seed COUNT]\n"

  static func parse(_ arguments: [String]) throws(UsageError) -> SoakOptions {
    var options = SoakOptions()
    var reader = ArgumentReader(arguments)
    while let argument = try reader.next() {
      switch argument {
      case .option("--matches"):
        options.matches = try reader.count(of: "--matches") ?? options.matches
      case .option("--for"): options.time = try reader.duration(of: "--for") ?? options.time
      case .option("--seed"): options.seed = UInt64(try reader.count(of: "--seed") ?? 0)
      case .option(let name): throw UsageError("There is no option \(name).")
      case .operand(let path): options.server = path
      }
    }
    guard !options.server.isEmpty else { throw UsageError("Which server program?") }
    return options
  }
}
