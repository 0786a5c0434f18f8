import Shared

/// OffGame on the screen: a pure value that can be drawn.
struct OffGameScene: Equatable {
  /// A match to watch, because one of its players was chosen. The person must confirm it.
  struct WatchOffer: Equatable {
    let player: String
    let match: String
  }

  /// The names of the people at this client; two in a local game.
  let names: [String]
  let lastGame: LastGame?
  var status = LobbyStatus.lobby
  /// When the wait began.
  var since: Duration?
  var offers: [Offer] = []
  var series: Series? { didSet { lastSeries = series ?? lastSeries } }
  /// The last series, whose score stays beside the last board.
  private(set) var lastSeries: Series?
  var invitations: [Invitation] = []
  /// The players who are logged in; `nil` before the first reply.
  var players: PlayerList?
  /// The matches that can be watched; `nil` before the first reply.
  var matches: MatchList? {
    didSet {
      if let offer, !watchable.contains(where: { $0.match == offer.match }) { self.offer = nil }
    }
  }
  /// The id of the game that the person chose last.
  var chosen: String?
  /// The bot's level for the next start.
  var level = BotLevel.hard
  var notices = Notices()
  /// What the person has just done; `nil` after the next key or notice.
  var confirmation: String?
  /// The opponent of a start that has had no reply so far.
  var request: Opponent?
  var isConnected = true
  /// `nil` if there are no accounts.
  var nameStatus: NameStatus?
  /// Whether the list shows the games, of which the person chooses one.
  var isChoosingGame = false
  /// The code of a friend that the person is typing; `nil` while there is none.
  var code: TextField?
  /// The text that players and matches must contain to be listed; `nil` lists all.
  var filter: TextField?
  /// The question that is open.
  var offer: WatchOffer?
  /// Whether there is news of the match to show, such as chat.
  var hasNews = false
  /// Whether the person has done something in the lobby since the last game.
  var hasGoneOn = false
  private var selected = OffGameSelection()

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

  /// The last game, until the person goes on.
  var shownGame: LastGame? { hasGoneOn ? nil : lastGame }

  /// The items that can be chosen, in the order of the screen.
  var items: [OffGameItem] { rows.compactMap(\.item) }

  /// The matches in the list.
  var watchable: [MatchSummary] { isLocal ? [] : matches?.items ?? [] }

  /// The other players who are logged in: those who are free first, then those who wait, then the
  /// others.
  var others: [PlayerSummary] {
    guard !isLocal, let players else { return [] }
    let others = players.items.filter { !names.contains($0.name) }
    return [[.lobby], [.waiting], [.playing, .watching]].flatMap { (places: [SessionPlace]) in
      others.filter { places.contains($0.place) }
    }
  }

  /// The match that a player plays, if it can be watched.
  func match(of name: String) -> MatchSummary? {
    guard players?.items.first(where: { $0.name == name })?.place == .playing else { return nil }
    return watchable.first { $0.players.x == name || $0.players.o == name }
  }

  /// The selected item, which Enter chooses.
  var selection: OffGameItem? { selected.item(in: items) }

  /// The game of the next start, if the server offers several games.
  var chosenGame: GameInfo? {
    guard offers.count > 1 else { return nil }
    let playable = offers.filter(\.isPlayable).map(\.game)
    return playable.first { $0.id == chosen } ?? playable.first
  }

  /// The invitation that `a` accepts and `d` declines: the selected one, else the first.
  var currentInvitation: Invitation? {
    if case .accept(let from, let game) = selection,
      let selected = invitations.first(where: { $0.from == from && $0.game == game })
    {
      return selected
    }
    return invitations.first
  }

  /// The code to send to a friend; `nil` unless the person waits for one.
  var friend: FriendCode? {
    if case .waiting(_, let friend) = status { friend } else { nil }
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
    guard isNew else { return }
    selected = OffGameSelection()
    filter = nil
    code = nil
    isChoosingGame = false
    offer = nil
  }

  mutating func choose(_ game: GameInfo?, _ level: BotLevel?) {
    (chosen, self.level) = (game?.id ?? chosen, level ?? self.level)
  }

  mutating func say(_ sentence: String, at now: Duration = .zero) {
    notices.add(sentence, at: now)
    confirmation = nil
    request = nil
  }
}

/// The selection.
extension OffGameScene {
  mutating func move(by steps: Int) {
    selected.move(by: steps, in: items)
  }

  /// Selects the first item after a game, if the person has not done anything since. While the
  /// person waits, a key would cancel the wait.
  mutating func selectFirst() {
    guard shownGame != nil, !isChoosingGame, filter == nil, code == nil, selection == nil else {
      return
    }
    switch status {
    case .lobby, .betweenGames(_, hasAsked: false): move(by: 0)
    case .waiting, .betweenGames(_, hasAsked: true), .watching: break
    }
  }

  mutating func select(_ item: OffGameItem) {
    selected.select(item, in: items)
  }
}
