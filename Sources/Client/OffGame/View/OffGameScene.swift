import Shared

/// OffGame as the screen shows it: a pure value, from which the picture follows.
struct OffGameScene: Equatable {
  /// What the person does.
  enum Action: Equatable {
    case start(Opponent)
    /// Takes the waiting back, and starts with somebody who has invited this person.
    case cancelAndStart(Opponent)
    case watch(String)
    case cancel
    case leave
    case choose(gameID: String)
    case quit
  }

  /// Those of the people here; more than one play at this keyboard.
  let names: [String]
  let lastGame: LastGame?
  var status = LobbyStatus.lobby
  /// When the waiting began.
  var since: Duration?
  var offers: [Offer] = []
  var series: Series?
  var invitations: [Invitation] = []
  /// Who is here; `nil` before the first answer.
  var players: PlayerList?
  /// What there is to watch; `nil` before the first answer.
  var matches: MatchList?
  /// The game that `choose` was last said for.
  private(set) var chosen: String?
  private(set) var notices: [String] = []
  /// A start that was asked for and is not answered yet.
  var request: Opponent?
  private var selected = OffGameSelection()

  /// Also in lines.
  static let maxNotices = 3

  init(names: [String], lastGame: LastGame? = nil) {
    self.names = names
    self.lastGame = lastGame
  }

  var isLocal: Bool { names.count > 1 }

  /// Whether a match goes on, between two of its games.
  var isInMatch: Bool {
    if case .betweenGames = status { true } else { isWatching }
  }

  /// Whether that is a match that others play.
  var isWatching: Bool {
    if case .watching = status { true } else { false }
  }

  /// What can be chosen now, in the order in which it stands on the screen.
  var items: [OffGameItem] { rows.compactMap(\.item) }

  /// The matches that are offered.
  var watchable: [MatchSummary] { isLocal ? [] : matches?.items ?? [] }

  /// Who else is here.
  var others: [PlayerSummary] {
    isLocal ? [] : players?.items.filter { !names.contains($0.name) } ?? []
  }

  /// The one that Enter means.
  var selection: OffGameItem? { selected.item(in: items) }

  /// Where there are several games, that of the next start.
  var chosenGame: GameInfo? {
    guard offers.count > 1 else { return nil }
    let playable = offers.filter(\.isPlayable).map(\.game)
    return playable.first { $0.id == chosen } ?? playable.first
  }

  /// The player of the match that goes on who is not here.
  var opponent: String? {
    series.flatMap { series in
      [series.players.x.name, series.players.o.name].first { !names.contains($0) }
    }
  }

  /// Where the person stands has changed, or what can be started has.
  mutating func show(_ status: LobbyStatus, since: Duration?, offers: [Offer]) {
    let isNew = status != self.status
    self.status = status
    self.since = since
    self.offers = offers
    request = nil
    if isNew { selected = OffGameSelection() }
  }

  mutating func say(_ sentence: String) {
    notices = (notices + [sentence]).suffix(Self.maxNotices)
    request = nil
  }
}

/// What the keys do.
extension OffGameScene {
  /// Answers what the person now wants; `isUsed` tells whether the key means anything here. `size`
  /// is that of the screen, for the mouse.
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
    case .character("q"):
      return (isInMatch ? .leave : .quit, true)
    default: return (nil, false)
    }
    return (nil, true)
  }

  /// What is selected; where nothing is, that is what the key does. While somebody is waited for it
  /// does not even that: who presses Enter once too often must not stop what the first has begun.
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

  /// Once, until that is answered.
  private mutating func start(against opponent: Opponent) -> Action? {
    guard request == nil else { return nil }
    request = opponent
    if case .waiting = status { return .cancelAndStart(opponent) }
    return .start(opponent)
  }

  /// The playable game behind the chosen one.
  private var nextGame: GameInfo? {
    guard let chosenGame, status == .lobby else { return nil }
    let playable = offers.filter(\.isPlayable).map(\.game)
    guard let index = playable.firstIndex(of: chosenGame) else { return nil }
    return playable[(index + 1) % playable.count]
  }
}
