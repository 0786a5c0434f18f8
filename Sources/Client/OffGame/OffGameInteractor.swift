import RIBs
import Shared

/// OffGame's calls to its router, and OffGame as the root sees it.
protocol OffGameRouting: ViewableRouting {
  var actionableItem: any OffGameActionableItem { get }
  /// Shows the form of an account. Does nothing if there are no accounts.
  func routeToAccount(_ purpose: AccountPurpose)
  /// Shows finished games. Does nothing if none are kept.
  func routeToHistory(of owner: HistoryOwner)
  /// Shows the best players of a game. Does nothing if no finished games are kept.
  func routeToLeaderboard(of game: String)
  /// Detaches the current child, with its view.
  func detachCurrent()
}

/// OffGame's calls to its view.
protocol OffGamePresentable: Presentable {
  var listener: (any OffGamePresentableListener)? { get set }
  /// Whether this view shows the lists of players and matches.
  var showsLists: Bool { get }
  /// Shows the players and the score of the current series, `nil` without one. Called before the
  /// first status, and at each change.
  func show(_ series: Series?)
  /// Shows the person's status and the available games; called first, and at each change. `since`
  /// is when the wait began, on the loop's clock; `nil` if the person is not waiting.
  func show(_ status: LobbyStatus, since: Duration?, offers: [Offer])
  /// Shows the game and the bot's level of the next start. `nil` means the ones shown so far.
  func show(_ game: GameInfo?, _ level: BotLevel?)
  /// Shows the open invitations; called at each change.
  func show(_ invitations: [Invitation])
  /// Shows which players are logged in; called at each change.
  func show(_ players: PlayerList)
  /// Shows which matches can be watched; called at each change.
  func show(_ matches: MatchList)
  /// Shows that the launch action asks for a game, because the person has typed nothing.
  func showRequest(_ action: LaunchAction)
  /// Shows whether the name is registered; called at each change, and never without accounts.
  func show(_ nameStatus: NameStatus)
  /// Shows how long a start has waited, for views that do not draw a clock.
  func show(waitingFor duration: Duration)
  /// Shows a notice: an event, or the reason for a refusal.
  func say(_ sentence: String)
}

protocol OffGamePresentableListener: AnyObject {
  func perform(_ action: OffGameAction)
}

/// What a person does between games.
enum OffGameAction: Equatable {
  case start(Opponent)
  /// Cancels the wait, and accepts an invitation.
  case cancelAndStart(Opponent)
  /// Waits for a friend, who joins with a code.
  case open
  /// Plays with the friend who has the code.
  case join(String)
  /// Declines the invitation of a player; `nil` means the only one.
  case decline(String?)
  /// The id of a match.
  case watch(String)
  case replay(String)
  case cancel
  case leave
  case choose(gameID: String)
  /// The bot's level for the next start.
  case chooseLevel(BotLevel)
  case listPlayers, listMatches
  /// Opens the form that registers the name, changes its password, or gives it up.
  case account(AccountPurpose)
  /// Shows finished games.
  case history(HistoryOwner)
  /// Shows the best players of a game; `nil` is the game of the next start.
  case leaderboard(gameID: String?)
  /// Ends the program. The view does that.
  case quit
}

/// OffGame's calls to the root, which attaches the games that the lobby starts.
protocol OffGameListener: AnyObject {
  /// The person asks the lobby for a game, to play, to watch or to see again.
  func willRequestGame()
  /// Shows the match of a game of the history, from the beginning of that game. `later` is the
  /// number of games of the match which ended later, as far as the history knows.
  func replay(_ item: HistoryItem, later: Int)
}

/// The steps that a workflow can take at OffGame.
protocol OffGameActionableItem: AnyObject {
  /// Asks for a game, to play or to watch, as the typed command does. The step succeeds at once,
  /// unless this client knows that there is no such game: then it fails, and a notice gives the
  /// reason.
  func request(_ action: LaunchAction) -> StepStream<any OffGameActionableItem, Void>
}

/// The time between games: the players, the score, and the games to start.
final class OffGameInteractor: PresentableInteractor<any OffGamePresentable>,
  OffGameInteractable
{
  /// How often a view shows that a start is still waiting.
  static let heartbeat: Duration = .seconds(10)

  weak var router: (any OffGameRouting)?
  weak var listener: (any OffGameListener)?
  private let lobby: any GameLobby
  private let scoreStream: any ScoreStream
  private let timers: any Timers
  private let lists: LobbyListWorker
  /// What was chosen on the command line, or in the lobby before the last match.
  private let choice: MutableGameChoice
  /// `nil` if there are no accounts.
  private let accounts: (any AccountService)?
  private let hasFinishedGames: Bool
  private var isChoiceShown = false
  private var invitations: [Invitation] = []
  private var selection: GameSelection
  private var heartbeat: LoopTimer?

  init(
    presenter: any OffGamePresentable, lobby: any GameLobby, scoreStream: any ScoreStream,
    timers: any Timers, choice: MutableGameChoice = MutableGameChoice(),
    accounts: (any AccountService)? = nil, hasFinishedGames: Bool = false
  ) {
    self.hasFinishedGames = hasFinishedGames
    self.accounts = accounts
    self.lobby = lobby
    self.scoreStream = scoreStream
    self.timers = timers
    self.choice = choice
    selection = GameSelection(lobby: lobby, choice: choice)
    lists = LobbyListWorker(lobby: lobby, timers: timers)
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    scoreStream.series.subscribe { [weak self] in self?.presenter.show($0) }
      .disposeOnDeactivate(interactor: self)
    lobby.status.subscribe { [weak self] in self?.statusDidChange($0) }
      .disposeOnDeactivate(interactor: self)
    lobby.invitations.subscribe { [weak self] in self?.invitationsDidChange($0) }
      .disposeOnDeactivate(interactor: self)
    lobby.notices.subscribe { [weak self] in self?.presenter.say($0) }
      .disposeOnDeactivate(interactor: self)
    accounts?.nameStatus.subscribe { [weak self] in self?.presenter.show($0) }
      .disposeOnDeactivate(interactor: self)
    guard presenter.showsLists else { return }
    lists.players.subscribe { [weak self] in self?.presenter.show($0) }
      .disposeOnDeactivate(interactor: self)
    lists.matches.subscribe { [weak self] in self?.presenter.show($0) }
      .disposeOnDeactivate(interactor: self)
    lists.start(self)
  }

  override func willResignActive() {
    stopHeartbeat()
  }

  private func statusDidChange(_ status: LobbyStatus) {
    stopHeartbeat()
    let since = status.isWaiting ? timers.now : nil
    presenter.show(status, since: since, offers: lobby.offers)
    if let since { scheduleHeartbeat(since: since) }
    if status == .lobby, !isChoiceShown { showChoice() }
  }

  /// Shows the choice of the command line, or a notice if there is no such game.
  private func showChoice() {
    isChoiceShown = true
    let game = choice.current.game.flatMap { playable(selection.game($0)) }
    if game != nil || choice.current.level != nil { presenter.show(game, choice.current.level) }
  }

  private func invitationsDidChange(_ invitations: [Invitation]) {
    self.invitations = invitations
    presenter.show(invitations)
    // The player who invites may have just come.
    lists.refresh()
  }

  private func scheduleHeartbeat(since start: Duration) {
    heartbeat = timers.schedule(after: Self.heartbeat) { [weak self] in
      guard let self else { return }
      presenter.show(waitingFor: timers.now - start)
      scheduleHeartbeat(since: start)
    }
  }

  private func stopHeartbeat() {
    heartbeat?.cancel()
    heartbeat = nil
  }

  private func start(_ game: GameInfo, against opponent: Opponent) {
    listener?.willRequestGame()
    lobby.start(game, against: opponent, level: selection.level)
  }

  /// Returns the game for a start; shows a notice and returns `nil` if there is none.
  private func game(against opponent: Opponent) -> GameInfo? {
    let invitation = invitations.first { opponent == .player($0.from) }
    return playable(selection.game(accepting: invitation))
  }

  /// Returns a game; shows a notice and returns `nil` if it was refused.
  private func playable(_ game: Result<GameInfo, RequestError>) -> GameInfo? {
    switch game {
    case .success(let game): return game
    case .failure(let error):
      presenter.say(error.sentence)
      return nil
    }
  }
}

extension OffGameInteractor: OffGameActionableItem {
  func request(_ action: LaunchAction) -> StepStream<any OffGameActionableItem, Void> {
    switch action {
    case .start(let opponent, let gameID, let level):
      if let gameID {
        // If this is also the choice in the lobby, its notice has been shown there.
        let isShown = isChoiceShown && gameID == choice.current.game
        let selected = selection.game(gameID)
        guard let game = isShown ? try? selected.get() : playable(selected) else {
          return .failure(StartFailure.refused)
        }
        selection.chosenGame = game
      }
      guard let game = game(against: opponent) else { return .failure(StartFailure.refused) }
      if let level { selection.chosenLevel = level }
      presenter.showRequest(action)
      start(game, against: opponent)
    case .join(let code):
      presenter.showRequest(action)
      perform(.join(code))
    case .watch(let match):
      presenter.showRequest(action)
      perform(.watch(match))
    case .replay(let match):
      presenter.showRequest(action)
      perform(.replay(match))
    }
    return .step(self, ())
  }
}

extension OffGameInteractor: OffGamePresentableListener {
  func perform(_ action: OffGameAction) {
    switch action {
    case .start(let opponent): start(against: opponent)
    case .cancelAndStart(let opponent):
      lobby.cancelStart()
      start(against: opponent)
    case .open:
      guard let game = game(against: .anyone) else { return }
      listener?.willRequestGame()
      lobby.open(game)
    case .join(let code):
      listener?.willRequestGame()
      lobby.join(code)
    case .watch(let match):
      listener?.willRequestGame()
      lobby.watch(match)
    case .replay(let match):
      listener?.willRequestGame()
      lobby.replay(match)
    case .decline(let opponent): decline(opponent)
    case .cancel: lobby.cancelStart()
    case .leave: lobby.leaveMatch()
    case .choose(let gameID): choose(gameID)
    case .chooseLevel(let level):
      selection.chosenLevel = level
      choice.current.level = level
      presenter.say("The bot plays at level \(level.rawValue).")
    case .listPlayers: lobby.listPlayers { [weak self] in self?.say($0.map(\.sentence)) }
    case .listMatches: lobby.listMatches { [weak self] in self?.say($0.map(\.sentence)) }
    case .account(let purpose):
      guard accounts != nil else { return presenter.say(Self.needsServer) }
      router?.routeToAccount(purpose)
    case .history(let owner):
      guard hasFinishedGames else { return presenter.say(Self.needsServer) }
      router?.routeToHistory(of: owner)
    case .leaderboard(let gameID):
      guard hasFinishedGames else { return presenter.say(Self.needsServer) }
      let named = gameID.map { (try? selection.game($0).get())?.id ?? $0 }
      router?.routeToLeaderboard(of: named ?? selection.game?.id ?? Command.defaultGame)
    case .quit: break
    }
  }

  private func start(against opponent: Opponent) {
    guard let game = game(against: opponent) else { return }
    start(game, against: opponent)
  }

  private func choose(_ gameID: String) {
    guard let game = playable(selection.game(gameID)) else { return }
    selection.chosenGame = game
    choice.current.game = game.id
    presenter.say("The next game is \(game.name).")
  }

  private func decline(_ opponent: String?) {
    guard let name = opponent ?? (invitations.count == 1 ? invitations.first?.from : nil) else {
      return presenter.say(
        invitations.isEmpty
          ? "Nobody has invited you." : "Several players have invited you. Type: decline NAME")
    }
    lobby.decline(name)
  }

  private static let needsServer = "This works only on a server."

  private func say(_ list: Result<String, RequestError>) {
    switch list {
    case .success(let sentence): presenter.say(sentence)
    case .failure(let error): presenter.say(error.sentence)
    }
  }
}

extension OffGameInteractor: HistoryListener {
  func replay(_ item: HistoryItem, later: Int) {
    listener?.replay(item, later: later)
  }

  func historyDidFinish() {
    router?.detachCurrent()
  }
}

extension OffGameInteractor: LeaderboardListener {
  func leaderboardDidFinish() {
    router?.detachCurrent()
  }
}

extension OffGameInteractor: AccountListener {
  func accountDidFinish(with sentence: String?) {
    router?.detachCurrent()
    if let sentence { presenter.say(sentence) }
  }
}
