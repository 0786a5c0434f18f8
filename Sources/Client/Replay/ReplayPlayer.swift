import Shared

/// The player's calls to the RIB of the replay.
protocol ReplayPlayerDelegate: AnyObject {
  /// The replay begins, or begins again to go back. The events of a new match follow.
  func player(didRewindTo match: RemoteMatch)
  /// The position, the speed, or what is known of damage has changed.
  func playerDidChange(to state: ReplayState)
}

/// Where a replay is.
struct ReplayState: Equatable {
  let match: String
  /// The number of the last move that is shown, across the games of the match.
  var move = 0
  let moveCount: Int
  /// The index of the game that is shown, and how many there are.
  var game = 0
  let gameCount: Int
  /// Whether the stored match goes on to its end.
  var isComplete = true
  /// The time from one step to the next.
  var interval: Duration = .seconds(1)
  var isPaused = false
  var isAtEnd = false
  /// A sentence about an event that does not fit; `nil` if there is none so far.
  var damage: String?
}

/// Feeds the events of a stored match to a `RemoteMatch`, step by step, at a speed that the person
/// sets. To go back it feeds a new match from the beginning. It stops before the first event that
/// does not fit the ones before.
final class ReplayPlayer {
  /// The times from one step to the next, the slowest first.
  static let intervals: [Duration] = [
    .seconds(5), .seconds(2), .seconds(1), .milliseconds(500), .milliseconds(200),
    .milliseconds(100),
  ]

  weak var delegate: (any ReplayPlayerDelegate)?
  private let replay: Replay
  private let timers: any Timers
  private var match: RemoteMatch
  private var connection: ReplayConnection
  private(set) var state: ReplayState
  /// The index of the step that is shown.
  private var step = 0
  /// The number of steps that fit together, as far as this is known.
  private var stepCount: Int
  private var timer: LoopTimer?

  init(_ replay: Replay, timers: any Timers) {
    self.replay = replay
    self.timers = timers
    connection = ReplayConnection(timers: timers)
    match = RemoteMatch(link: connection)
    stepCount = replay.steps.count
    state = ReplayState(
      match: replay.match, moveCount: replay.moveCount, gameCount: replay.games.count,
      isComplete: replay.isComplete)
  }

  deinit { timer?.cancel() }

  /// Shows the first step of a game. `isPaused` is whether the others wait for the person.
  func begin(at game: Int = 0, isPaused: Bool = false) {
    state.isPaused = isPaused
    // The delegate has no match before the first step.
    show(step: 0)
    if game > 0 { go(byGames: game) }
  }

  func stop() {
    timer?.cancel()
    timer = nil
  }

  func togglePause() {
    // At the end, playing on means from the beginning.
    if state.isAtEnd, stepCount > 1 {
      state.isPaused = false
      return show(step: 0)
    }
    state.isPaused.toggle()
    didChange()
  }

  /// Goes some steps forward or back, and pauses.
  func go(by steps: Int) {
    state.isPaused = true
    show(step: step + steps)
  }

  /// Goes to the beginning of another game, some games forward or back, and plays on from there if
  /// it was playing. There is no game before the first or after the last one: going back from the
  /// first one goes to its beginning, and going on from the last one does nothing.
  func go(byGames games: Int) {
    guard !replay.games.isEmpty else { return }
    let target = state.game + games
    guard target < replay.games.count else { return }
    show(step: replay.games[max(0, target)].step)
  }

  /// Goes to a move by its number, and pauses. Move 0 is the beginning of the first game.
  func go(toMove move: Int) {
    state.isPaused = true
    show(step: replay.steps.firstIndex { $0.move >= move } ?? stepCount - 1)
  }

  func goToEnd() {
    state.isPaused = true
    show(step: stepCount - 1)
  }

  func changeSpeed(isFaster: Bool) {
    let index = Self.intervals.firstIndex(of: state.interval) ?? 0
    let next = min(max(0, index + (isFaster ? 1 : -1)), Self.intervals.count - 1)
    state.interval = Self.intervals[next]
    didChange()
  }

  private func show(step target: Int) {
    let target = min(max(0, target), stepCount - 1)
    if target < step || target == 0 { rewind() }
    for index in (step + 1)..<max(step + 1, target + 1) where index < stepCount { feed(index) }
    didChange()
  }

  private func rewind() {
    connection = ReplayConnection(timers: timers)
    match = RemoteMatch(link: connection)
    delegate?.player(didRewindTo: match)
    step = 0
    state.move = 0
    feed(0)
  }

  /// Feeds the events of a step. If one does not fit, no further step can be shown.
  private func feed(_ index: Int) {
    for number in replay.steps[index].events {
      receive(replay.events[number])
      guard !connection.isDamaged else {
        stepCount = index + 1
        state.damage = "The stored match is damaged: event \(number + 1) does not fit."
        break
      }
    }
    if index == replay.steps.count - 1, let last = replay.last,
      let seq = replay.events.last?.place?.seq,
      seq != last
    {
      state.damage = "The stored match is damaged: it ends with event \(seq) of \(last)."
    }
    step = index
    if !connection.isDamaged { state.move = replay.steps[index].move }
  }

  private func receive(_ event: Event) {
    // The match itself counts from the first event that it gets.
    if match.last == nil, event.place?.seq != 1 {
      connection.isDamaged = true
      return
    }
    switch event.withoutTimes {
    case .match(let event): match.receive(event)
    case .unknown(let match?, let seq?): self.match.receiveUnknown(match: match, seq: seq)
    default: break
    }
  }

  private func didChange() {
    state.isAtEnd = step == stepCount - 1
    state.game = max(0, (replay.games.firstIndex { $0.step > step } ?? replay.games.count) - 1)
    timer?.cancel()
    timer = nil
    if !state.isPaused, !state.isAtEnd {
      timer = timers.schedule(after: state.interval) { [weak self] in
        guard let self else { return }
        show(step: step + 1)
      }
    }
    delegate?.playerDidChange(to: state)
  }
}
