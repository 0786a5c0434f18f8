/// A folder of this program in the user's home, according to the XDG Base Directory Specification.
enum UserFolder {
  case configuration
  case state

  /// Returns the absolute path; `nil` if the environment names no folder.
  func path(in environment: [String: String]) -> String? {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let parent = absolute(variable) ?? absolute("HOME").map { $0 + standard }
    return parent.map { $0 + "/tictactoe" }
  }

  private var variable: String {
    switch self {
    case .configuration: "XDG_CONFIG_HOME"
    case .state: "XDG_STATE_HOME"
    }
  }

  /// The folder below the home, if the variable is not set.
  private var standard: String {
    switch self {
    case .configuration: "/.config"
    case .state: "/.local/state"
    }
  }
}
