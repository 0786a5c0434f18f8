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
      print("The soak cannot go on: \(error).")
      exit(74)
    }
  }
}
