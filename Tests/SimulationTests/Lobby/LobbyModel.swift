import Shared

@testable import Server

/// The lobby as the server's own lines describe it, in the order and at the time in which the
/// server writes them, whether they arrive or not. Each line must follow from those before it.
final class LobbyModel {
  /// What a player waits for.
  struct Request: Equatable {
    let game: String
    /// `nil` means anyone, or a friend with the code.
    let opponent: String?
    let code: String?
    let since: Duration
    /// When the invitation ends; `nil` means no limit.
    let deadline: Duration?
  }

  enum Place: Equatable {
    case lobby
    case waiting(Request)
    case playing(String), watching(String)
  }

  /// A session.
  struct Person {
    /// The number of the connection that carries it; `nil` while it is lost.
    var link: Int?
    var place = Place.lobby
    /// Whether it has asked for a rematch.
    var hasAsked = false
    /// The players whose invitations stand, as its connection was told.
    var told: Set<String> = []
    /// The number of spectators of its match, as its connection was told; `nil` if a line with the
    /// number may have been lost.
    var toldCount: Int? = 0
    /// When it last resumed.
    var returnedAt: Duration?
    /// The invitation that ended last.
    var lastEnd: (from: String, time: Duration)?

    var request: Request? {
      guard case .waiting(let request) = place else { return nil }
      return request
    }
  }

  struct Match {
    let game: String
    let players: PerMark<String>
    /// The number of the event with which the latest game began.
    var lastStart: Int
    /// The last number of spectators that everybody was told.
    var lastCount: (count: Int, time: Duration)?
    /// Whether spectators have come or gone since then.
    var hasNewCount = false

    /// The names of the players except one.
    func opponent(of name: String) -> String { players.x == name ? players.o : players.x }
  }

  /// A match that begins in this turn: what its players waited for.
  struct Beginning {
    let x: Request?
    let o: Request?
  }

  let plan: WorldPlan
  let clock: () -> Duration
  let hasMatch: (String) -> Bool
  var people: [String: Person] = [:]
  var matches: [String: Match] = [:]
  var beginnings: [String: Beginning] = [:]
  /// The players who must not invite another player, and until when.
  var blocks: [Pair: Duration] = [:]
  /// When codes were unknown, the latest last.
  var unknownCodes: [Duration] = []
  /// Codes that were good once.
  var usedCodes: [String] = []
  /// The players who must get `didCancel` `declined` in this turn.
  var owedCancels: Set<String> = []
  /// The opponents who must have gone by the end of this turn.
  var mustHaveGone: Set<String> = []
  /// The players whose sessions ended in this turn.
  var gone: Set<String> = []
  /// The connections whose next line must be an announcement.
  var greetings: Set<Int> = []
  /// The players who must be told in this turn that the server stops.
  var owedStops: Set<String> = []
  /// When the server that drains stops.
  var stop: Duration?
  /// What happened, for the coverage.
  private(set) var counts: [String: Int] = [:]
  private var decoder = EventDecoder()
  /// The commands that were sent with an id, by connection.
  private var commands: [Int: [RequestID: Command]] = [:]
  /// Commands in words, whose replies cannot be told from other lines.
  private var wordCommands: [Int: [Command]] = [:]

  /// `from` was declined by `by`.
  struct Pair: Hashable {
    let from: String
    let by: String
  }

  /// `hasMatch` returns whether the server has a match with an id.
  init(plan: WorldPlan, clock: @escaping () -> Duration, hasMatch: @escaping (String) -> Bool) {
    self.plan = plan
    self.clock = clock
    self.hasMatch = hasMatch
  }

  var now: Duration { clock() }

  /// The codes with which a friend can join now.
  var openCodes: [String] { people.values.compactMap { $0.request?.code }.sorted() }

  /// The players who neither play nor watch.
  var freePlayers: [String] { people.filter { $0.value.place.isFree }.keys.sorted() }

  /// The players with an invitation, where they are free.
  var invitedPlayers: [String] { freePlayers.filter { people[$0]?.told.isEmpty == false } }

  func count(_ what: String) { counts[what, default: 0] += 1 }

  /// Records a command that a player sends. One in words has no `id`.
  func note(_ command: Command, id: RequestID?, on link: Int) {
    if let id {
      commands[link, default: [:]][id] = command
    } else {
      wordCommands[link, default: []].append(command)
    }
  }

  /// Whether a connection has sent such a command in words.
  func hasInWords(_ link: Int?, _ isWanted: (Command) -> Bool) -> Bool {
    link.flatMap { wordCommands[$0] }?.contains(where: isWanted) == true
  }

  func forgetCommands(on link: Int) {
    commands[link] = nil
    wordCommands[link] = nil
    greetings.remove(link)
  }

  /// Takes a line that the server writes to the connection of a player.
  func server(sends line: Span<UInt8>, to name: String, on link: Int) throws(ViolationError) {
    let type = Self.type(of: line)
    let isGreeting = greetings.remove(link) != nil
    try require(
      !isGreeting || type == "announcement", "\(name) gets \(type) instead of the announcement")
    guard Self.types.contains(type) else { return }
    let received: ReceivedEvent
    do throws(LineError) {
      received = try decoder.decode(line.extracting(droppingLast: 1))
    } catch {
      throw ViolationError("the server writes a line that cannot be read: \(type)")
    }
    let command = received.re.flatMap { commands[link]?.removeValue(forKey: $0) }
    if case .announcement(let text, let left) = received.event {
      try announce(text, left, to: name, on: link, isGreeting: isGreeting)
    } else {
      try take(received.event, to: name, on: link, answering: command)
    }
  }

  /// The other types do not concern the lobby.
  private static let types: Set<String> = [
    "didLogin", "didQueue", "didCancel", "invited", "invitationDidEnd", "announcement",
    "gameDidStart", "matchDidEnd", "matchSnapshot", "spectatorsDidChange", "didLeave", "error",
    "bye",
  ]

  /// The type stands first in each line.
  private static func type(of line: Span<UInt8>) -> String {
    line.extracting(droppingFirst: #"{"type":""#.utf8.count).withUnsafeBufferPointer {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }

  private func take(
    _ event: Event, to name: String, on link: Int, answering command: Command?
  ) throws(ViolationError) {
    switch event {
    case .didLogin(_, _, let place, _): try didLogin(name, at: place, on: link)
    case .bye(let code, _, _, _): sayBye(code, to: name, on: link)
    case .didQueue(let game, let opponent, let code, let expires):
      try queue(
        name, answering: command,
        Request(
          game: game, opponent: opponent, code: code, since: now,
          deadline: opponent.flatMap { _ in plan.settings.inviteWithin.map { now + $0 } }),
        expires: expires)
    case .didCancel(let reason): try cancel(name, because: reason)
    case .invited(let from, let game, let expires):
      try invite(name, from: from, to: game, expires: expires)
    case .invitationDidEnd(let from, _):
      try endInvitation(of: name, from: from, answering: command)
    case .error(let code, let message, let field, let retry):
      try refuse(name, Refusal(code, message, field, retry), answering: command)
    case .match(let event):
      switch event.body {
      case .gameDidStart(let state): try begin(event, state, told: name, answering: command)
      case .matchDidEnd: endMatch(event.match)
      case .boardDidChange, .gameDidEnd, .presenceDidChange, .didSay: break
      }
    case .matchSnapshot(let snapshot): try take(snapshot, by: name)
    case .spectatorsDidChange(let match, let count): try tell(count, of: match, to: name)
    case .didLeave:
      noteWatcher(name)
      people[name]?.place = .lobby
    default: break
    }
  }

  /// Whether a time of the wire, in whole milliseconds rounded up, is that time.
  func isRounded(_ told: Duration, _ time: Duration) -> Bool {
    told >= time && told - time < .milliseconds(1)
  }
}
