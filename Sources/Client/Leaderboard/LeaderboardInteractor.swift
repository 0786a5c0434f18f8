import RIBs
import Shared

/// Leaderboard's calls to its view.
protocol LeaderboardPresentable: Presentable {
  var listener: (any LeaderboardPresentableListener)? { get set }
  /// Shows the list of a game; called first, and at each change. `list` is `nil` until the reply.
  /// `isChoice` is whether there are other games.
  func show(_ list: Result<Leaderboard, RequestError>?, of game: String, isChoice: Bool)
}

/// The actions of a person at the list of the best players.
protocol LeaderboardPresentableListener: AnyObject {
  /// Shows another game: that many further in the order of the server's games.
  func showGame(by steps: Int)
  func close()
}

/// Leaderboard's calls to OffGame.
protocol LeaderboardListener: AnyObject {
  /// The person goes back.
  func leaderboardDidFinish()
}

/// Loads the best players of one game after another.
final class LeaderboardInteractor: PresentableInteractor<any LeaderboardPresentable>,
  LeaderboardInteractable
{
  weak var listener: (any LeaderboardListener)?
  private let finishedGames: any FinishedGames
  private let games: [GameInfo]
  /// The id of the game that is shown. The server may not offer it.
  private var game: String
  /// Whether the list is missing because there was no connection.
  private var isCutOff = false

  init(
    presenter: any LeaderboardPresentable, finishedGames: any FinishedGames, games: [GameInfo],
    game: String
  ) {
    self.finishedGames = finishedGames
    self.games = games
    self.game = game
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    finishedGames.returns.subscribe { [weak self] in self?.connectionDidReturn() }
      .disposeOnDeactivate(interactor: self)
    load()
  }

  private func connectionDidReturn() {
    if isCutOff { load() }
  }

  private func load() {
    isCutOff = false
    let game = game
    let name = games.first { $0.id == game }?.name ?? game
    let isChoice = games.count > 1
    presenter.show(nil, of: name, isChoice: isChoice)
    finishedGames.leaderboard(of: game) { [weak self] result in
      guard let self, isActive, game == self.game else { return }
      if case .failure(let error) = result { isCutOff = error.isTemporary }
      presenter.show(result, of: name, isChoice: isChoice)
    }
  }
}

extension LeaderboardInteractor: LeaderboardPresentableListener {
  func showGame(by steps: Int) {
    guard games.count > 1 else { return }
    let index = games.firstIndex { $0.id == game } ?? 0
    game = games[(index + steps + games.count) % games.count].id
    load()
  }

  func close() {
    listener?.leaderboardDidFinish()
  }
}
