import Foundation
import Shared

/// Shows each option of a server with its value, and where that comes from.
enum ConfigTool {
  /// - Throws: `UsageError`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    var reader = ArgumentReader(arguments)
    var (location, words) = (ConfigurationLocation.standard, [String]())
    var settings: [ServerSetting] = []
    while let argument = try reader.next() {
      switch argument {
      case .option("--help"), .option("-h"): return StandardOutput.write(Tool.config.help)
      case .option("--config"):
        location = try ConfigurationLocation(try reader.value(of: "--config"))
      case .option(let name):
        guard let option = ServerOption(argument: name) else {
          throw UsageError("tictactoe-server config has no option \(name).")
        }
        settings.append(
          ServerSetting(option: option, value: try reader.value(of: name), name: name))
      case .operand(let word): words.append(word)
      }
    }
    guard words == ["show"] else {
      throw UsageError("The usage is: \(Tool.config.usage).")
    }
    _ = try ServerOptions(settings, isWhole: false)
    let environment = ProcessInfo.processInfo.environment
    let below = ServerConfiguration(at: location, environment)
    let all = below.settings.replaced(by: settings)
    let written = StandardOutput.write(text(of: all, environment))
    var mistakes = below.mistakes
    do throws(UsageError) {
      _ = try ServerOptions(all)
    } catch {
      mistakes.append(error.message)
    }
    for mistake in mistakes { ErrorOutput.ofProcess.write(mistake, .last) }
    return mistakes.isEmpty ? written : .configuration
  }

  /// Returns a line for each option, with several values for one that is repeated.
  static func text(of settings: [ServerSetting], _ environment: [String: String]) -> String {
    var rows: [(name: String, value: String, source: String)] = []
    for option in ServerOption.allCases {
      // A later setting of an option wins, unless the option is repeated.
      let given = settings.filter { $0.option == option }
      let values = option.isRepeatable ? given[...] : given.suffix(1)
      for setting in values {
        rows.append((option.rawValue, setting.shownValue, setting.sourceText))
      }
      if values.isEmpty {
        rows.append((option.rawValue, standard(option, settings, environment), "default"))
      }
    }
    let widths = (
      rows.map(\.name.count).max() ?? 0,
      min(40, rows.map { TextWidth.columns(of: $0.value) }.max() ?? 0)
    )
    return rows.map { name, value, source in
      let name = name.padding(toLength: widths.0, withPad: " ", startingAt: 0)
      let space = String(repeating: " ", count: max(0, widths.1 - TextWidth.columns(of: value)))
      return "\(name)  \(value)\(space)  \(source)\n"
    }.joined()
  }

  /// Returns the value of an option that is not set, as it would be written, or a word in brackets
  /// if none can be written.
  private static func standard(
    _ option: ServerOption, _ settings: [ServerSetting], _ environment: [String: String]
  ) -> String {
    let options = try? ServerOptions(
      settings.filter { [.port, .data, .cluster, .clusterFile].contains($0.option) },
      isWhole: false)
    let data = options?.data.path(port: options?.port ?? 0, environment)
    return switch option {
    case .host: "(all addresses)"
    case .data: data ?? "none"
    case .admin: data.map { "\($0)/\(AdminLocation.fileName)" } ?? "none"
    case .node, .advertise: "(the host's name)"
    case .linesPerAddress: settings.linesPerAddress
    default: option.standardValue ?? "(none)"
    }
  }
}

extension [ServerSetting] {
  /// The default of `lines-per-address`, which follows from `per-second`.
  fileprivate var linesPerAddress: String {
    let perSecond = last { $0.option == .perSecond }?.value ?? ServerOption.perSecond.standardValue
    return perSecond.flatMap { Int($0) }.map { "\($0 * 20)" } ?? ""
  }
}

extension ServerSetting {
  /// The value without a password.
  fileprivate var shownValue: String {
    guard option == .cluster else { return value.printable }
    return (try? RedisAddress(value)).map(\.withFiles) ?? "(hidden)"
  }

  fileprivate var sourceText: String {
    switch source {
    case .commandLine: "command line"
    case .environment: name
    case .file(let path, let line): "\(path):\(line)"
    }
  }
}
