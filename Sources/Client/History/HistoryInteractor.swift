import RIBs
import Shared

/// History's calls to its view.
protocol HistoryPresentable: Presentable {
  var listener: (any HistoryPresentableListener)? { get set }
  /// Shows the games; called first, and at each change.
  func show(_ history: History)
}

/// The actions of a person at the list of games.
protocol HistoryPresentableListener: AnyObject {
  /// Shows the games of somebody else.
  func show(gamesOf owner: HistoryOwner)
  /// Asks for older games, if there are some and none are on their way.
  func loadMore()
  /// Shows the match of a game again, from the beginning of that game.
  func replay(_ item: HistoryItem)
  func close()
}

/// History's calls to OffGame.
protocol HistoryListener: AnyObject {
  /// The person goes back.
  func historyDidFinish()
  /// Shows the match of a game again, from the beginning of that game. `later` is the number of
  /// games of that match which ended later, as far as the list knows. The list stays.
  func replay(_ item: HistoryItem, later: Int)
}

/// Finished games as far as they have been loaded, the latest first.
struct History: Equatable {
  enum State: Equatable {
    case loading
    case loaded
    /// With a sentence.
    case failed(String)
  }

  var owner: HistoryOwner
  /// The name of the player whose games these are; `nil` for those of everyone.
  var player: String?
  /// The names of the games by their ids.
  let gameNames: [String: String]
  var items: [HistoryItem] = []
  /// Where older games begin; `nil` if there are none.
  var next: Int?
  var state = State.loading

  func gameName(of item: HistoryItem) -> String { gameNames[item.game] ?? item.game }

  var title: String {
    switch owner {
    case .mine: "Your games"
    case .everyone: "The games of everyone"
    case .player(let name): "The games of \(name)"
    }
  }
}

/// Loads finished games, page by page.
final class HistoryInteractor: PresentableInteractor<any HistoryPresentable>, HistoryInteractable {
  weak var listener: (any HistoryListener)?
  private let finishedGames: any FinishedGames
  private let name: String
  private var history: History { didSet { if history != oldValue { presenter.show(history) } } }
  /// Counts the lists, so that a reply for an earlier one is ignored.
  private var generation = 0
  /// Whether games are missing because there was no connection.
  private var isCutOff = false

  init(
    presenter: any HistoryPresentable, finishedGames: any FinishedGames, offers: [Offer],
    name: String,
    owner: HistoryOwner
  ) {
    self.finishedGames = finishedGames
    self.name = name
    history = History(
      owner: owner,
      gameNames: Dictionary(offers.map { ($0.game.id, $0.game.name) }) { first, _ in first })
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    finishedGames.returns.subscribe { [weak self] in self?.connectionDidReturn() }
      .disposeOnDeactivate(interactor: self)
    show(gamesOf: history.owner)
  }

  private func connectionDidReturn() {
    if isCutOff { load(before: history.next) }
  }

  private func load(before: Int?) {
    isCutOff = false
    history.state = .loading
    let generation = generation
    finishedGames.history(of: history.player, before: before) { [weak self] result in
      guard let self, isActive, generation == self.generation else { return }
      didLoad(result)
    }
  }

  private func didLoad(_ result: Result<HistoryPage, RequestError>) {
    var new = history
    switch result {
    case .success(let page):
      // A server that repeats games would otherwise be asked without end.
      let last = history.items.last?.id ?? .max
      new.items += page.items.filter { $0.id < last }
      new.next = page.next.flatMap { $0 < last && !page.items.isEmpty ? $0 : nil }
      new.state = .loaded
    case .failure(let error):
      isCutOff = error.isTemporary
      new.state = .failed(error.sentence)
    }
    history = new
  }
}

extension HistoryInteractor: HistoryPresentableListener {
  func show(gamesOf owner: HistoryOwner) {
    generation += 1
    var new = History(owner: owner, gameNames: history.gameNames)
    switch owner {
    case .mine: new.player = name
    case .everyone: break
    case .player(let name): new.player = name
    }
    history = new
    presenter.show(history)
    load(before: nil)
  }

  func loadMore() {
    guard let next = history.next, history.state != .loading else { return }
    load(before: next)
  }

  func replay(_ item: HistoryItem) {
    // The list has the latest games first, and all games of a match have the same players.
    let later = history.items.count { $0.match == item.match && $0.id > item.id }
    listener?.replay(item, later: later)
  }

  func close() {
    listener?.historyDidFinish()
  }
}
