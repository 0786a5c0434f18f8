import Foundation
import Shared

@main
enum SoakMain {
  static func main() {
    do {
      let options = try SoakOptions.parse(Array(CommandLine.arguments.dropFirst()))
      raiseDescriptorLimit()
      exit(try Soak(options).run() ? 0 : 1)
    } catch let error as UsageError {
      print("\(error.message) \(SoakOptions.usage)")
      exit(64)
    } catch {
      print("The soak cannot go on: \(error).")
      exit(74)
    }
  }

  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
