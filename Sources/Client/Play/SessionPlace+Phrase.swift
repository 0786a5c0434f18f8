import Shared

extension SessionPlace {
  /// What somebody who is there does, for people.
  var phrase: String {
    switch self {
    case .lobby: "free"
    case .waiting: "waits for a game"
    case .playing: "plays"
    case .watching: "watches"
    }
  }
}
