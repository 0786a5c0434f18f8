import Shared

/// One option as a person has set it.
struct ServerSetting: Equatable {
  enum Source: Equatable {
    case commandLine
    case environment
    case file(String, line: Int)
  }

  let option: ServerOption
  let value: String
  /// The option as the person wrote it, for sentences.
  let name: String
  var source = Source.commandLine
}

extension ServerSetting {
  /// Checks the value by itself. See `ServerConfiguration` for `readsEngine`.
  func check(readsEngine: Bool) throws(UsageError) {
    guard readsEngine || option != .clusterFile else { return }
    _ = try ServerOptions([self], isWhole: false)
  }
}

extension [ServerSetting] {
  /// Returns these settings and those that win over them: all settings of an option, also of one
  /// that can be repeated, are replaced together.
  func replaced(by winners: [ServerSetting]) -> [ServerSetting] {
    let given = Set(winners.flatMap(\.option.replaced))
    return filter { !given.contains($0.option) } + winners
  }
}
