import Shared

/// OffGame on the screen: a pure value that can be drawn.
struct OffGameScene: Equatable {
  /// The action of a key press.
  enum Action: Equatable {
    case start(Opponent)
    /// Cancels the wait, and accepts an invitation.
    case cancelAndStart(Opponent)
    case watch(String)
    case cancel
    case leave
    case choose(gameID: String)
    case chooseLevel(BotLevel)
    case quit
  }

  /// The names of the people at this client; two in a local game.
  let names: [String]
  let lastGame: LastGame?
  var status = LobbyStatus.lobby
  /// When the wait began.
  var since: Duration?
  var offers: [Offer] = []
  var series: Series?
  var invitations: [Invitation] = []
  /// The players who are logged in; `nil` before the first reply.
  var players: PlayerList?
  /// The matches that can be watched; `nil` before the first reply.
  var matches: MatchList?
  /// The id of the game that the person chose last.
  private(set) var chosen: String?
  /// The bot's level for the next start.
  private(set) var level = BotLevel.hard
  private(set) var notices: [String] = []
  /// The opponent of a start that has had no reply so far.
  var request: Opponent?
  private var selected = OffGameSelection()

  /// The maximum number of notices, and of the lines that they may take.
  static let maxNotices = 3

  init(names: [String], lastGame: LastGame? = nil) {
    self.names = names
    self.lastGame = lastGame
  }

  var isLocal: Bool { names.count > 1 }

  /// Whether the person is between two games of a match, as a player or a spectator.
  var isInMatch: Bool {
    if case .betweenGames = status { true } else { isWatching }
  }

  /// Whether the person is watching that match.
  var isWatching: Bool {
    if case .watching = status { true } else { false }
  }

  /// The items that can be chosen, in the order of the screen.
  var items: [OffGameItem] { rows.compactMap(\.item) }

  /// The matches in the list.
  var watchable: [MatchSummary] { isLocal ? [] : matches?.items ?? [] }

  /// The other players who are logged in.
  var others: [PlayerSummary] {
    isLocal ? [] : players?.items.filter { !names.contains($0.name) } ?? []
  }

  /// The selected item, which Enter chooses.
  var selection: OffGameItem? { selected.item(in: items) }

  /// The game of the next start, if the server offers several games.
  var chosenGame: GameInfo? {
    guard offers.count > 1 else { return nil }
    let playable = offers.filter(\.isPlayable).map(\.game)
    return playable.first { $0.id == chosen } ?? playable.first
  }

  /// The name of the opponent in the current match.
  var opponent: String? {
    series.flatMap { series in
      [series.players.x.name, series.players.o.name].first { !names.contains($0) }
    }
  }

  /// The status or the offers have changed.
  mutating func show(_ status: LobbyStatus, since: Duration?, offers: [Offer]) {
    let isNew = status != self.status
    self.status = status
    self.since = since
    self.offers = offers
    request = nil
    if isNew { selected = OffGameSelection() }
  }

  mutating func choose(_ game: GameInfo?, _ level: BotLevel?) {
    (chosen, self.level) = (game?.id ?? chosen, level ?? self.level)
  }

  mutating func say(_ sentence: String) {
    notices = (notices + [sentence]).suffix(Self.maxNotices)
    request = nil
  }
}

/// The keys.
extension OffGameScene {
  /// Returns the action of the key, if there is one, and whether the key has a meaning here. `size`
  /// is the size of the screen, for mouse clicks.
  mutating func press(_ key: Key, in size: Size) -> (action: Action?, isUsed: Bool) {
    switch key {
    case .up, .backTab, .scrollUp, .character("k"): selected.move(by: -1, in: items)
    case .down, .tab, .scrollDown, .character("j"): selected.move(by: 1, in: items)
    case .home: if let first = items.first { selected.select(first, in: items) }
    case .end: if let last = items.last { selected.select(last, in: items) }
    case .enter, .character(" "): return (choose(), true)
    case .character("a"):
      guard let invitation = invitations.first else { return (nil, false) }
      return (accept(invitation), true)
    case .press(let position):
      guard let item = item(at: position, in: size) else { return (nil, true) }
      selected.select(item, in: items)
      return (action(of: item), true)
    case .escape: return (status.isWaiting ? .cancel : nil, true)
    case .character("g"):
      guard let next = nextGame else { return (nil, false) }
      chosen = next.id
      return (.choose(gameID: next.id), true)
    case .character("l"):
      guard status == .lobby else { return (nil, false) }
      level = nextLevel
      return (.chooseLevel(level), true)
    case .character("q"):
      return (isInMatch ? .leave : .quit, true)
    default: return (nil, false)
    }
    return (nil, true)
  }

  /// Chooses the selected item. If nothing is selected, the key only selects. While the person
  /// waits, it does not even select, so that pressing Enter twice does not cancel the start of the
  /// first press.
  private mutating func choose() -> Action? {
    if let selection { return action(of: selection) }
    if !status.isWaiting { selected.move(by: 0, in: items) }
    return nil
  }

  private mutating func accept(_ invitation: Invitation) -> Action? {
    if case .betweenGames = status { return start(against: .anyone) }
    return start(against: .player(invitation.from))
  }

  private mutating func action(of item: OffGameItem) -> Action? {
    switch item {
    case .accept(let name, _), .player(let name): start(against: .player(name))
    case .anyone, .nextGame: start(against: .anyone)
    case .bot: start(against: .bot)
    case .watch(let match): .watch(match)
    case .cancel: .cancel
    case .leaveMatch: .leave
    }
  }

  /// Starts a game, unless another start is still waiting for its reply.
  private mutating func start(against opponent: Opponent) -> Action? {
    guard request == nil else { return nil }
    request = opponent
    if case .waiting = status { return .cancelAndStart(opponent) }
    return .start(opponent)
  }

  /// The level after the chosen one.
  private var nextLevel: BotLevel {
    let levels = BotLevel.allCases
    let index = levels.firstIndex(of: level) ?? 0
    return levels[(index + 1) % levels.count]
  }

  /// The playable game after the chosen one.
  private var nextGame: GameInfo? {
    guard let chosenGame, status == .lobby else { return nil }
    let playable = offers.filter(\.isPlayable).map(\.game)
    guard let index = playable.firstIndex(of: chosenGame) else { return nil }
    return playable[(index + 1) % playable.count]
  }
}
