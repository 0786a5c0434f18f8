import Shared

/// The way back to a session whose connection is lost: connects again and again, and takes the
/// session up, as long as its place is kept. It answers once, unless it is cancelled.
final class Comeback: Cancellable {
  private let attempt: (@escaping RemoteLogin.Answer) -> any Cancellable
  private let timers: any Timers
  private let random: RandomSource
  private let answer: RemoteLogin.Answer
  private var backoff = Backoff()
  private var lastFailure: LinkFailure
  private var limit: LoopTimer?
  /// The next attempt, or what is under way of it.
  private var pause: LoopTimer?
  private var login: (any Cancellable)?

  /// `attempt` logs in once; `limit` is how long that is of use.
  init(
    after failure: LinkFailure, within limit: Duration, timers: any Timers, random: RandomSource,
    attempt: @escaping (@escaping RemoteLogin.Answer) -> any Cancellable,
    answer: @escaping RemoteLogin.Answer
  ) {
    lastFailure = failure
    self.timers = timers
    self.random = random
    self.attempt = attempt
    self.answer = answer
    self.limit = timers.schedule(after: limit) { [weak self] in self?.giveUp() }
  }

  func begin() {
    tryLater()
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
    switch result {
    case .failure(.link(let failure)):
      lastFailure = failure
      tryLater()
    case .failure(.refused(.nameTaken, _)):
      // By a session of ours, whose token was used up by an attempt that broke off.
      tryLater()
    case .failure, .success:
      cancel()
      answer(result)
    }
  }

  private func giveUp() {
    cancel()
    answer(.failure(.link(lastFailure)))
  }
}
