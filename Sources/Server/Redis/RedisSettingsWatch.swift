import Shared

/// Checks the engine again after a node has connected to it, because another host with settings of
/// its own may be the primary then. What could be better is logged. It never stops the node.
final class RedisSettingsWatch {
  /// By then the replicas follow a new primary.
  static let delay: Duration = .seconds(5)

  private let timers: any Timers
  private let log: Log
  private let check: (@escaping (RedisCheck.Finding) -> Void) -> Void
  /// The sentences of the last check.
  private var last: [String]
  private var timer: LoopTimer?

  /// `notes` are those of the start. `check` asks the engine.
  init(
    after notes: [String], timers: any Timers, log: Log,
    check: @escaping (_ answer: @escaping (RedisCheck.Finding) -> Void) -> Void
  ) {
    last = notes
    self.timers = timers
    self.log = log
    self.check = check
  }

  deinit { timer?.cancel() }

  /// Called for each new connection of a node that has joined.
  func didConnect() {
    timer?.cancel()
    timer = timers.schedule(after: Self.delay) { [unowned self] in
      check { [weak self] in self?.didFind($0) }
    }
  }

  private func didFind(_ finding: RedisCheck.Finding) {
    switch finding {
    case .good(let notes): note(notes)
    case .wrong(let sentence), .incomplete(let sentence): note([sentence])
    // The next connection is checked.
    case .noAnswer: break
    }
  }

  private func note(_ sentences: [String]) {
    guard sentences != last else { return }
    last = sentences
    for sentence in sentences {
      log.write(
        .warning, "engineSettings",
        ["text": .words(sentence.replacing("\n", with: " "))])
    }
    if sentences.isEmpty {
      log.write(
        .info, "engineSettings", ["text": .words("The engine is set up as it should be again.")])
    }
  }
}
