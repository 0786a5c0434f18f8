import RIBs
import Shared

extension RemoteSession: FinishedGames {
  func history(of player: String?, before: Int?, answer: @escaping RequestAnswer<HistoryPage>) {
    commands.request(.history(player: player, before: before), answer) {
      if case .history(let page) = $0 { page } else { nil }
    }
  }

  func leaderboard(of game: String, answer: @escaping RequestAnswer<Leaderboard>) {
    commands.request(.leaderboard(game: game), answer) {
      if case .leaderboard(let list) = $0 { list } else { nil }
    }
  }
}
