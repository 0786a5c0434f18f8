import Shared

/// Hashes and checks passwords on a thread of its own, because each takes about 27 ms on purpose.
/// It also limits how many wrong passwords an address may try.
final class PasswordQueue {
  /// How many pieces of work may wait, in all and for one address.
  static let maxWaiting = 64
  static let maxWaitingPerAddress = 32
  /// How many wrong passwords for a name may come from one address within a minute.
  static let maxWrong = 3
  /// When to try again if nobody knows how long the present checks take.
  static let retry: Duration = .seconds(1)

  private let hasher: any PasswordHashing
  private let worker: any BackgroundWorker
  private let timers: any Timers
  private let metrics: Metrics?
  private var waiting = 0
  private var waitingOfAddress: [IPAddress: Int] = [:]
  private var attempts: [Target: Attempts] = [:]

  /// The attempts at the password of one account from one address count together.
  private struct Target: Hashable {
    let account: Int
    let address: IPAddress
  }

  private struct Attempts {
    var wrong = SlidingWindow(max: maxWrong, within: .seconds(60))
    /// Those still being checked. They count as wrong.
    var waiting = 0
  }

  init(
    _ hasher: any PasswordHashing, worker: any BackgroundWorker, timers: any Timers,
    metrics: Metrics? = nil
  ) {
    self.metrics = metrics
    self.hasher = hasher
    self.worker = worker
    self.timers = timers
  }

  /// Checks a password. Without an account it takes the same time, and is wrong.
  ///
  /// - Throws: `tooFast` if there are too many checks, or were too many wrong passwords.
  func check(
    _ password: String, of account: Account?, from address: IPAddress,
    answer: @escaping (_ isRight: Bool) -> Void
  ) throws(CommandError) {
    let target = account.map { Target(account: $0.id, address: address) }
    if let target { try checkAttempts(at: target) }
    try checkRoom(for: address)
    if let target { attempts[target, default: Attempts()].waiting += 1 }
    perform(from: address) { [hasher, hash = account?.hash] in
      hasher.matches(password, hash)
    } then: { [weak self] isRight in
      if let target { self?.didCheck(target, isRight: isRight) }
      answer(isRight)
    }
  }

  /// Makes the hash of a password; `nil` if there is no memory for it.
  ///
  /// - Throws: `tooFast` if too much work waits.
  func hash(
    _ password: String, from address: IPAddress, answer: @escaping (String?) -> Void
  ) throws(CommandError) {
    try checkRoom(for: address)
    perform(from: address) { [hasher] in
      hasher.hash(password)
    } then: {
      answer($0)
    }
  }

  /// Checks the present password of an account, and makes the hash of a new one. `isCurrent` says
  /// whether the answer is still wanted, and `isUnchanged` whether the account is as it was.
  ///
  /// - Throws: `wrongPassword` if the present password is missing; what `check` throws.
  func replace(
    _ old: String?, by new: String, of account: Account, from address: IPAddress,
    isCurrent: @escaping () -> Bool, isUnchanged: @escaping () -> Bool,
    answer: @escaping CommandAnswer<String?>
  ) throws(CommandError) {
    guard let old else { throw .oldIsMissing }
    try check(old, of: account, from: address) { [weak self] isRight in
      guard let self, isCurrent() else { return }
      guard isRight, isUnchanged() else {
        return answer(.failure(CommandError(.wrongPassword, field: "old")))
      }
      do throws(CommandError) {
        try hash(new, from: address) { if isCurrent() { answer(.success($0)) } }
      } catch {
        answer(.failure(error))
      }
    }
  }

  private func checkRoom(for address: IPAddress) throws(CommandError) {
    guard waiting < Self.maxWaiting,
      waitingOfAddress[address, default: 0] < Self.maxWaitingPerAddress
    else {
      throw CommandError(
        .tooFast, "Too many passwords are being checked. Try again in a moment.",
        retry: Self.retry)
    }
  }

  private func checkAttempts(at target: Target) throws(CommandError) {
    guard let attempts = attempts[target] else { return }
    let now = timers.now
    let wrong = attempts.wrong.count(at: now)
    guard wrong + attempts.waiting >= Self.maxWrong else { return }
    throw CommandError(
      .tooFast, "There were too many tries with passwords for this name. Try again in a minute.",
      retry: attempts.wrong.timeToWait(at: now) ?? Self.retry)
  }

  private func didCheck(_ target: Target, isRight: Bool) {
    attempts[target]?.waiting -= 1
    if !isRight { attempts[target]?.wrong.add(at: timers.now) }
    attempts = attempts.filter { $1.waiting > 0 || !$1.wrong.isEmpty(at: timers.now) }
  }

  private func perform<Value: Sendable>(
    from address: IPAddress, _ work: @escaping @Sendable () -> Value,
    then: @escaping (Value) -> Void
  ) {
    waiting += 1
    waitingOfAddress[address, default: 0] += 1
    worker.perform {
      Timed(work)
    } then: { [weak self] timed in
      self?.metrics?.passwordChecks.add(timed.time)
      self?.didPerform(from: address)
      then(timed.value)
    }
  }

  private func didPerform(from address: IPAddress) {
    waiting -= 1
    let left = waitingOfAddress[address, default: 1] - 1
    waitingOfAddress[address] = left == 0 ? nil : left
  }
}
