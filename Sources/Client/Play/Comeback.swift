import Shared

/// The way back to a session whose connection is lost: connects again and again, and takes the
/// session up, as long as its place is kept. It answers once, unless it is cancelled.
final class Comeback: Cancellable {
  /// So much later than here a server may find out that a connection is lost, at most, and only then
  /// does its time begin; see PROTOCOL.md, *Silence*.
  static let lateness: Duration = .seconds(30)

  private let attempt: (@escaping RemoteLogin.Answer) -> any Cancellable
  private let timers: any Timers
  private let random: RandomSource
  private let answer: RemoteLogin.Answer
  private var backoff = Backoff()
  private var lastFailure: LinkFailure
  /// How long a place is kept, by the server's clock.
  private let kept: Duration
  private var limit: LoopTimer?
  /// The attempt that is under way has reached the server.
  private var hasReachedServer = false
  /// The next attempt, or what is under way of it.
  private var pause: LoopTimer?
  private var login: (any Cancellable)?

  /// `attempt` logs in once; `kept` is how long the server keeps the place.
  init(
    after failure: LinkFailure, within kept: Duration, timers: any Timers, random: RandomSource,
    attempt: @escaping (@escaping RemoteLogin.Answer) -> any Cancellable,
    answer: @escaping RemoteLogin.Answer
  ) {
    lastFailure = failure
    self.timers = timers
    self.random = random
    self.attempt = attempt
    self.answer = answer
    self.kept = kept
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
      // The session may have been taken up and lost once more: its place is kept from now on.
      if wasReached, failure == .lost || failure == .silent { startLimit() }
      tryLater()
    case .failure(.refused(.nameTaken, _)):
      // By a session of ours, whose token was used up by an attempt that broke off.
      tryLater()
    case .failure, .success:
      cancel()
      answer(result)
    }
  }

  private func startLimit() {
    limit?.cancel()
    limit = timers.schedule(after: kept + Self.lateness) { [weak self] in self?.giveUp() }
  }

  private func giveUp() {
    cancel()
    answer(.failure(.link(lastFailure)))
  }
}
