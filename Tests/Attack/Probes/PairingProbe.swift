import Shared
import TestSupport

/// Honest players who ask for a game with anyone, over and over: how often they find one another.
final class PairingProbe: Probe {
  private static let seats = 16
  private static let retryDelay = Duration.milliseconds(50)

  private final class Seat {
    let client: WireClient
    var tracker: MatchTracker?
    var isLoggedIn = false

    init(_ client: WireClient) { self.client = client }
  }

  private let context: HonestContext
  private var seats: [Seat] = []
  private var isMeasuring = false
  /// Games that began at a seat: two for each pairing of two seats.
  private var honestStarts = 0
  private var attackerStarts = 0

  init(context: HonestContext) {
    self.context = context
    for number in 0..<Self.seats { add(number) }
  }

  var isReady: Bool { seats.allSatisfy(\.isLoggedIn) }
  func attackDidBegin() { isMeasuring = true }

  func attackDidEnd() {
    isMeasuring = false
    for seat in seats { seat.client.send(.quit) }
  }

  private var honestPairings: Int { honestStarts / 2 }

  var summary: String {
    "\(honestPairings) pairings with one another, \(attackerStarts) with the attacker"
  }

  var failures: [String] {
    guard honestPairings <= attackerStarts else { return [] }
    return [
      "the attacker was paired \(attackerStarts) times, honest players \(honestPairings) times"
    ]
  }

  private func add(_ number: Int) {
    let seat = Seat(context.connect(from: LoopbackAddress(4, number: number)))
    seats.append(seat)
    seat.client.onEvent = { [weak self, unowned seat] event in
      switch event {
      case .hello: seat.client.send(.login(name: "seat \(number)", password: nil))
      case .didLogin:
        seat.isLoggedIn = true
        seat.client.send(.start(opponent: nil, game: nil))
      case .match(let event): self?.take(event, at: seat)
      case .bye(let code, _, _, _) where self?.isMeasuring == true:
        self?.context.metrics.wasClosed("seat \(code.rawValue)")
      default: break
      }
    }
  }

  private func take(_ event: MatchEvent, at seat: Seat) {
    do throws(MatchTracker.TrackingError) {
      if seat.tracker == nil { seat.tracker = try MatchTracker(event) }
      try seat.tracker?.take(event)
    } catch {
      context.metrics.didReceiveBadLine("A seat: \(error)")
    }
    switch event.body {
    case .gameDidStart(let state):
      if isMeasuring {
        let isWithAttacker = [state.players.x, state.players.o].contains(PairingAttacker.name)
        if isWithAttacker { attackerStarts += 1 } else { honestStarts += 1 }
      }
      move(at: seat)
    case .boardDidChange: move(at: seat)
    // One player leaves, and the match ends for both.
    case .gameDidEnd: if seat.tracker?.you == .x { seat.client.send(.leave) }
    case .matchDidEnd:
      seat.tracker = nil
      context.loop.schedule(after: Self.retryDelay) { [weak seat] in
        seat?.client.send(.start(opponent: nil, game: nil))
      }
    default: break
    }
  }

  private func move(at seat: Seat) {
    guard let seq = seat.tracker?.seq else { return }
    context.loop.schedule(after: Self.retryDelay) { [weak seat, context] in
      guard let seat, let tracker = seat.tracker, tracker.seq == seq, !tracker.isOver,
        tracker.board.turn == tracker.you, let cell = context.choose(tracker.board.freeCells)
      else { return }
      seat.client.send(.place(cell, seq: seq))
    }
  }
}
