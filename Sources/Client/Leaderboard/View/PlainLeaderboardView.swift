import Shared

/// The best players of a game in plain lines.
final class PlainLeaderboardView: LeaderboardViewControllable, ConsoleChild {
  weak var listener: (any LeaderboardPresentableListener)?
  weak var parent: (any ConsoleView)?
  private let console: Console

  init(console: Console) {
    self.console = console
  }

  func show(_ list: Result<Leaderboard, RequestError>?, of game: String, isChoice: Bool) {
    switch list {
    case nil: return
    case .failure(let error): console.say(error.sentence)
    case .success(let list) where list.items.isEmpty:
      console.say("\(game): \(LeaderboardScene.nobody)")
    case .success(let list):
      console.say("The best players of \(game):")
      for item in list.items {
        console.say(
          "  \(item.rank). \(item.name) \(item.ratingText): won \(item.won), lost \(item.lost),"
            + " drawn \(item.drawn)")
      }
      if list.items.contains(where: \.isProvisional) { console.say(LeaderboardScene.provisional) }
    }
    _ = parent?.didType("")
  }
}

extension PlainLeaderboardView: ConsoleView {
  func didType(_ line: String) -> Bool { false }
}
