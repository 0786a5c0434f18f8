import RIBs
import Shared

/// Reconnects after a lost connection: tries again and again to resume the session, or to begin a
/// new one under the same name. `answer` is called once, unless the reconnector is cancelled.
final class Reconnector: Cancellable {
  /// How much later than this client the server may notice that a connection is lost. The server's
  /// own time limit begins only then. See PROTOCOL.md, *Silence*.
  static let detectionDelay: Duration = .seconds(30)
  /// `Patience.strangerTime` of a person, who then sees the reason, and may try again.
  static let strangerTime: Duration = .seconds(30)

  private let attempt: (@escaping LoginAttempt.Answer) -> any Cancellable
  private let willRetry: (LoginError) -> Void
  private let timers: any Timers
  private let random: RandomSource
  private let answer: LoginAttempt.Answer
  private let patience: Patience
  /// When an attempt last failed that may have used the token, or the session began to move.
  private var brokenOffAt: Duration?
  private var backoff = Backoff()
  private var lastFailure: LinkError
  private var timeoutTimer: LoopTimer?
  /// Whether the current attempt has reached the server.
  private var hasReachedServer = false
  /// When the connection was lost.
  private let start: Duration
  /// Starts the next attempt.
  private var retryTimer: LoopTimer?
  /// The current attempt.
  private var login: (any Cancellable)?

  struct Patience {
    /// For how long after an attempt that broke off the client's own session may be in its way: the
    /// name is taken then, and its token cannot be used.
    let ghostTime: Duration
    /// Whether the name is registered to the person. An earlier session may have it then, so the
    /// time also begins when the name is first taken.
    var isOwnName = false
    /// How long another program at the server's port counts as a lost connection.
    var strangerTime = Reconnector.strangerTime
    /// When to give up after the loss; `nil` means never.
    let timeout: Duration?
  }

  /// `attempt` logs in once. `willRetry` is called when an attempt has failed and another one
  /// follows.
  init(
    after failure: LinkError, patience: Patience, timers: any Timers, random: RandomSource,
    willRetry: @escaping (LoginError) -> Void = { _ in },
    attempt: @escaping (@escaping LoginAttempt.Answer) -> any Cancellable,
    answer: @escaping LoginAttempt.Answer
  ) {
    lastFailure = failure
    self.patience = patience
    self.timers = timers
    self.random = random
    self.willRetry = willRetry
    self.attempt = attempt
    self.answer = answer
    start = timers.now
    restartTimeout()
  }

  /// Returns the result of an attempt to come back. A program that answers at the port for a while,
  /// such as a proxy whose server starts again, ends no session. Neither does a server that says
  /// goodbye before it has resumed the session.
  func sparingSession(_ result: Result<Login, LoginError>) -> Result<Login, LoginError> {
    guard case .failure(.link(let failure)) = result, failure.saysNothingOfSession,
      timers.now - start < patience.strangerTime
    else { return result }
    return .failure(.link(.lost))
  }

  func begin() {
    scheduleRetry()
  }

  /// Begins with an attempt at once, which resumes a session of an earlier run.
  func beginLogin() {
    retry()
  }

  /// Begins with an attempt at once, on the connection to the server to which the session moves.
  /// The name stays taken for a while at the server that it leaves.
  func beginMove() {
    brokenOffAt = timers.now
    retry()
  }

  /// The server may execute a login from now on, whether or not its reply arrives.
  func didReachServer() {
    hasReachedServer = true
  }

  func cancel() {
    timeoutTimer?.cancel()
    retryTimer?.cancel()
    login?.cancel()
    login = nil
  }

  /// Makes another attempt later. `error` is the failure of the last one; `nil` if there was none.
  private func scheduleRetry(after error: LoginError? = nil) {
    guard let earliest = lastFailure.retry else { return giveUp() }
    if let error { willRetry(error) }
    let delay = max(earliest, backoff.next(using: random))
    retryTimer = timers.schedule(after: delay) { [weak self] in self?.retry() }
  }

  private func retry() {
    login = attempt { [weak self] result in self?.didAnswer(result) }
  }

  private func didAnswer(_ result: Result<Login, LoginError>) {
    login = nil
    if patience.isOwnName, brokenOffAt == nil, case .failure(.refused(.nameTaken, _)) = result {
      brokenOffAt = timers.now
    }
    let didReachServer = hasReachedServer
    hasReachedServer = false
    switch result {
    case .failure(.link(let failure)):
      lastFailure = failure
      // The server may have resumed the session and lost the connection again, which spends the
      // token and restarts the time limit. Without a greeting, it has seen neither.
      if didReachServer, failure == .lost || failure == .silent {
        brokenOffAt = timers.now
        restartTimeout()
      }
      scheduleRetry(after: .link(failure))
    case .failure(.refused(let code, let sentence)) where mayPass(code):
      scheduleRetry(after: .refused(code, sentence))
    case .failure, .success:
      cancel()
      answer(result)
    }
  }

  /// Whether the server may soon accept what it has refused with a code.
  private func mayPass(_ code: ErrorCode) -> Bool {
    switch code {
    // Several servers that are one may not find the session for a moment.
    case .tooFast, .unavailable: true
    case .nameTaken, .unknownToken: mayHoldName
    default: false
    }
  }

  private func restartTimeout() {
    timeoutTimer?.cancel()
    timeoutTimer = patience.timeout.map {
      timers.schedule(after: $0) { [weak self] in self?.giveUp() }
    }
  }

  /// Whether the name may still belong to this client's own session, whose token was used by an
  /// attempt that failed.
  private var mayHoldName: Bool {
    brokenOffAt.map { timers.now - $0 < patience.ghostTime } ?? false
  }

  /// Whether the server may not yet have noticed the loss of an attempt that broke off.
  var mayBeInOwnWay: Bool {
    brokenOffAt.map { timers.now - $0 < Self.detectionDelay } ?? false
  }

  private func giveUp() {
    cancel()
    answer(.failure(.link(lastFailure)))
  }
}

/// The delay before each further attempt to connect. It doubles each time, and a random part keeps
/// clients from reconnecting all at the same moment.
struct Backoff {
  static let min: Duration = .milliseconds(100)
  static let max: Duration = .seconds(5)

  private var ceiling = min

  /// Returns a time between half of the current ceiling and all of it, and doubles the ceiling.
  mutating func next(using random: RandomSource) -> Duration {
    var random = random
    defer { ceiling = Swift.min(ceiling * 2, Self.max) }
    return ceiling / 2 + ceiling / 2 * Double.random(in: 0...1, using: &random)
  }
}
