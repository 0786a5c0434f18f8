import Shared
import TestSupport

/// A client that meets a deadline while the server is stopped.
final class StallClient {
  enum Result: Equatable {
    case waiting, accepted
    case refused(String)
  }

  private static let retryDelay = Duration.milliseconds(50)

  private(set) var isReady = false
  /// Whether the client's time has begun to run.
  private(set) var hasBegun = false
  private(set) var result = Result.waiting
  private let deadline: StallProbe.Deadline
  private let number: Int
  private let context: HonestContext
  private var client: WireClient
  /// The opponent in a game with timed moves.
  private var opponent: WireClient?
  private var token: String?
  private var hasActed = false

  init(_ deadline: StallProbe.Deadline, number: Int, context: HonestContext) {
    self.deadline = deadline
    self.number = number
    self.context = context
    client = context.connect(from: LoopbackAddress(2, number: number))
    listen()
    guard deadline == .turn else { return }
    let opponent = context.connect(from: LoopbackAddress(2, number: number))
    self.opponent = opponent
    opponent.onEvent = { [unowned opponent] event in
      if case .hello = event { opponent.send(.login(name: "o \(number)", password: nil)) }
    }
  }

  /// Called just before the stop: the client's time begins.
  func prepare() {
    hasBegun = deadline != .turn
    switch deadline {
    case .login: break
    case .idle: client.send(.ping)
    case .turn: opponent?.send(.start(opponent: "x \(number)", game: nil))
    case .resume: client.cut(.reset)
    }
  }

  /// Meets the deadline.
  func act() {
    hasActed = true
    switch deadline {
    case .login: client.send(.login(name: nil, password: nil))
    case .idle: client.send(.list(.games))
    case .turn: client.send(.place(Cell(row: 0, column: 0), seq: nil))
    case .resume:
      client = context.connect(from: LoopbackAddress(2, number: number))
      listen()
    }
  }

  private func listen() {
    client.onEvent = { [weak self] event in self?.take(event) }
    client.onEnd = { [weak self] in self?.decide(.refused("closed")) }
  }

  private func take(_ event: Event?) {
    switch event {
    case .hello where hasActed:
      client.send(.resume(token: token ?? "", seq: nil))
    case .hello where deadline == .login: isReady = true
    case .hello: client.send(.login(name: "x \(number)", password: nil))
    case .didLogin(_, let token, _, _):
      guard !hasActed else { return decide(.accepted) }
      self.token = token
      makeReady()
    case .didQueue: isReady = true
    case .games: decide(.accepted)
    case .match(let event):
      switch event.body {
      case .gameDidStart:
        isReady = true
        hasBegun = true
      case .boardDidChange where deadline == .turn: decide(.accepted)
      case .gameDidEnd(let outcome, _): decide(.refused(outcome.reason.rawValue))
      default: break
      }
    case .error(.unknownPlayer, _, _, _) where !hasActed:
      context.loop.schedule(after: Self.retryDelay) { [weak self] in self?.makeReady() }
    case .error(let code, _, _, _): decide(.refused(code.rawValue))
    case .bye(let code, _, _, _): decide(.refused(code.rawValue))
    default: break
    }
  }

  private func makeReady() {
    switch deadline {
    case .login: break
    case .idle: isReady = true
    case .turn: client.send(.start(opponent: "o \(number)", game: nil))
    case .resume: client.send(.start(opponent: Player.botName, game: nil))
    }
  }

  /// Only the first answer counts.
  private func decide(_ result: Result) {
    if self.result == .waiting { self.result = result }
  }
}
