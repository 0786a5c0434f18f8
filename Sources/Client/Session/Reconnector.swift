import Shared

/// The way back to a session whose connection is lost: connects again and again, and takes the
/// session up, or begins a new one. It answers once, unless it is cancelled.
final class Comeback: Cancellable {
  /// So much later than here a server may find out that a connection is lost, at most, and only then
  /// does its time begin; see PROTOCOL.md, *Silence*.
  static let lateness: Duration = .seconds(30)

  private let attempt: (@escaping RemoteLogin.Answer) -> any Cancellable
  private let timers: any Timers
  private let random: RandomSource
  private let answer: RemoteLogin.Answer
  /// How long the server keeps a place whose connection is lost.
  private let kept: Duration
  /// When an attempt last broke off that may have used the token up.
  private var brokenOff: Duration?
  private var backoff = Backoff()
  private var lastFailure: LinkFailure
  /// When to give up, by the server's clock; `nil`: never.
  private let patience: Duration?
  private var limit: LoopTimer?
  /// The attempt that is under way has reached the server.
  private var hasReachedServer = false
  /// The next attempt, or what is under way of it.
  private var pause: LoopTimer?
  private var login: (any Cancellable)?

  /// `attempt` logs in once; `kept` is how long the server keeps a place; `patience` is when to
  /// give up, by the server's clock; `nil`: never.
  init(
    after failure: LinkFailure, kept: Duration, within patience: Duration?, timers: any Timers,
    random: RandomSource,
    attempt: @escaping (@escaping RemoteLogin.Answer) -> any Cancellable,
    answer: @escaping RemoteLogin.Answer
  ) {
    lastFailure = failure
    self.kept = kept
    self.timers = timers
    self.random = random
    self.attempt = attempt
    self.answer = answer
    self.patience = patience
    startLimit()
  }

  func begin() {
    tryLater()
  }

  /// What is asked for now may be carried out, whether or not an answer comes.
  func didReachServer() {
    hasReachedServer = true
  }

  func cancel() {
    limit?.cancel()
    pause?.cancel()
    login?.cancel()
    login = nil
  }

  private func tryLater() {
    guard let earliest = lastFailure.retry else { return giveUp() }
    let delay = max(earliest, backoff.next(using: random))
    pause = timers.schedule(after: delay) { [weak self] in self?.tryNow() }
  }

  private func tryNow() {
    login = attempt { [weak self] result in self?.didAnswer(result) }
  }

  private func didAnswer(_ result: Result<Login, LoginFailure>) {
    login = nil
    let wasReached = hasReachedServer
    hasReachedServer = false
    switch result {
    case .failure(.link(let failure)):
      lastFailure = failure
      if failure.mayHaveSpentToken { brokenOff = timers.now }
      // The session may have been taken up and lost once more: its place is kept from now on.
      if wasReached, failure == .lost || failure == .silent { startLimit() }
      tryLater()
    case .failure(.refused(.tooFast, _)):
      tryLater()
    case .failure(.refused(.nameTaken, _)) where isNameOurs:
      tryLater()
    case .failure, .success:
      cancel()
      answer(result)
    }
  }

  private func startLimit() {
    limit?.cancel()
    limit = patience.map {
      timers.schedule(after: $0 + Self.lateness) { [weak self] in self?.giveUp() }
    }
  }

  /// Whether a session of ours may have the name, whose token was used up by an attempt that broke
  /// off.
  private var isNameOurs: Bool {
    brokenOff.map { timers.now - $0 < kept + Self.lateness } ?? false
  }

  private func giveUp() {
    cancel()
    answer(.failure(.link(lastFailure)))
  }
}

extension LinkFailure {
  /// Whether an attempt that ended so may have used its token up, without the new one having come.
  fileprivate var mayHaveSpentToken: Bool {
    switch self {
    case .lost, .silent: true
    case .unknownHost, .cannotConnect, .bye, .notOurServer, .outOfStep: false
    }
  }
}

/// How long to wait before each further attempt to connect: twice as long each time, and never quite
/// the same for two clients, so that they do not all come back in one moment.
struct Backoff {
  static let shortest: Duration = .milliseconds(100)
  static let longest: Duration = .seconds(5)

  private var ceiling = shortest

  /// Between half of the present ceiling and all of it.
  mutating func next(using random: RandomSource) -> Duration {
    var random = random
    defer { ceiling = min(ceiling * 2, Self.longest) }
    return ceiling / 2 + ceiling / 2 * Double.random(in: 0...1, using: &random)
  }
}
