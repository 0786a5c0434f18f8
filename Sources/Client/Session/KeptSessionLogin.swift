import RIBs
import Shared

/// A login that resumes a session of an earlier run. The match of that session waits, so the login
/// is repeated until the server accepts or refuses it.
final class KeptSessionLogin: Cancellable {
  /// Logs in once. The first closure gets the steps, the second one the result.
  typealias Attempt =
    (@escaping (String) -> Void, @escaping LoginAttempt.Answer) -> any Cancellable

  private let link: ServerLink
  private let sentence: (LoginError) -> String
  private let attempt: Attempt
  private let progress: (LoginProgress) -> Void
  private let answer: LoginAttempt.Answer
  private var reconnector: Reconnector?
  private var subscription: (any Cancellable)?
  /// Whether an attempt has failed. Its reason stays on the screen.
  private var hasFailed = false

  /// `sentence` says why an attempt has failed. `answer` is called once, unless the login is
  /// cancelled.
  init(
    over link: ServerLink, sentence: @escaping (LoginError) -> String,
    attempt: @escaping Attempt, progress: @escaping (LoginProgress) -> Void,
    answer: @escaping LoginAttempt.Answer
  ) {
    self.link = link
    self.sentence = sentence
    self.attempt = attempt
    self.progress = progress
    self.answer = answer
  }

  func begin(timers: any Timers, random: RandomSource) {
    let reconnector = Reconnector(
      after: .lost,
      patience: Reconnector.Patience(ghostTime: Reconnector.detectionDelay, timeout: nil),
      timers: timers, random: random, willRetry: { [weak self] in self?.willRetry(after: $0) },
      attempt: { [weak self] in self?.logIn($0) ?? CompositeCancellable() },
      answer: { [self] result in
        end()
        answer(result)
      })
    self.reconnector = reconnector
    subscription = link.state.subscribe { [weak reconnector] state in
      if case .open = state { reconnector?.didReachServer() }
    }
    reconnector.beginLogin()
  }

  func cancel() {
    reconnector?.cancel()
    end()
  }

  private func logIn(_ answer: @escaping LoginAttempt.Answer) -> any Cancellable {
    if link.isOpen { reconnector?.didReachServer() }
    return attempt(
      { [weak self] step in
        guard let self, !hasFailed else { return }
        progress(LoginProgress(step: step))
      },
      { [weak self] result in answer(self?.reconnector?.sparingSession(result) ?? result) })
  }

  private func willRetry(after error: LoginError) {
    hasFailed = true
    progress(LoginProgress(step: "Trying again …", failure: sentence(error)))
  }

  private func end() {
    subscription?.cancel()
    reconnector = nil
  }
}
