import Shared

/// Waits for the engine before a node starts, and checks it.
enum ClusterStart {
  /// How long a start waits for an engine that is good.
  static let timeout: Duration = .seconds(10)
  /// How long it waits without a word.
  static let quietTime: Duration = .seconds(1)
  /// The time between two looks at an engine that is not complete.
  static let interval: Duration = .milliseconds(200)

  /// Turns the loop until the engine is found to be good. `tell` gets a sentence if that takes
  /// longer than `quietTime`.
  ///
  /// - Returns: sentences for people on what could be better.
  /// - Throws: if the engine is wrong, or is not good within `limit`.
  static func check(
    _ options: ClusterOptions, on loop: EventLoop, random: RandomSource,
    within limit: Duration = timeout, tell: (String) -> Void
  ) throws(StartError) -> [String] {
    try options.engine.checkFiles()
    let attempt = RedisAttempt(options, on: loop, random: random)
    let begin = loop.preciseNow
    var isQuiet = true
    while true {
      if let result = attempt.result { return try result.get() }
      let waited = loop.preciseNow - begin
      if waited >= limit { throw attempt.failure }
      if isQuiet, waited >= quietTime {
        tell("Waiting for the engine at \(options.engine).")
        isQuiet = false
      }
      do throws(SystemError) {
        try loop.turn(wait: (isQuiet ? min(quietTime, limit) : limit) - waited)
      } catch {
        throw StartError(code: .unavailable, sentence: "The server cannot wait: \(error).")
      }
    }
  }
}

/// Connects to an engine, and checks it each time.
private final class RedisAttempt {
  /// `nil` as long as it makes sense to wait.
  private(set) var result: Result<[String], StartError>?
  /// What has been wrong last.
  private(set) var failure: StartError
  private let options: ClusterOptions
  private let loop: EventLoop
  private let link: RedisLink
  private var timer: LoopTimer?

  init(_ options: ClusterOptions, on loop: EventLoop, random: RandomSource) {
    self.options = options
    self.loop = loop
    link = RedisLink(options.engine, replicas: options.replicas, loop: loop, random: random)
    failure = StartError.silentEngine(options.engine)
    link.onConnect = { [unowned self] in check() }
    link.onDisconnect = { [unowned self] in didFail(because: $0) }
    link.start()
  }

  deinit { timer?.cancel() }

  private func check() {
    timer?.cancel()
    RedisCheck.run(on: link, replicas: options.replicas, downAfter: link.downAfter) {
      [weak self] in self?.didFind($0)
    }
  }

  private func didFind(_ finding: RedisCheck.Finding) {
    switch finding {
    case .good(let notes): result = .success(notes)
    case .wrong(let sentence): result = .failure(StartError.engine(sentence))
    case .incomplete(let sentence):
      failure = StartError.engine(sentence)
      timer = loop.schedule(after: ClusterStart.interval) { [unowned self] in check() }
    // The link connects again.
    case .noAnswer: break
    }
  }

  private func didFail(because reason: String) {
    timer?.cancel()
    failure = StartError.engine(options.engine, failedBecause: reason)
    if RedisLink.isRefusal(reason) { result = .failure(failure) }
  }
}

extension RedisLink {
  /// Whether the URL of the engine is wrong, so that another attempt is of no use: the user, the
  /// password, the database, or the kind of engine.
  static func isRefusal(_ reason: String) -> Bool {
    isLoginRefusal(reason) || reason.hasPrefix("ERR DB index")
      || reason.contains("ERR unknown command 'SENTINEL'")
  }

  /// What the reason begins with if a Sentinel does not let this server in. Another one may.
  static let sentinelRefusal = "a Sentinel refuses the log-in: "

  static func isLoginRefusal(_ reason: String) -> Bool {
    ["WRONGPASS", "NOAUTH", "NOPERM", "ERR AUTH"].contains { reason.hasPrefix($0) }
  }
}

extension StartError {
  /// An engine cannot be used, for a reason of `RedisLink`.
  static func engine(_ address: RedisAddress, failedBecause reason: String) -> Self {
    let text = reason.withoutFullStop
    if reason.hasPrefix(RedisConnector.Failure.tlsPrefix) {
      let sentences = String(reason.dropFirst(RedisConnector.Failure.tlsPrefix.count))
      return engine(
        "The engine at \(address) cannot be used.",
        // With TLS 1.2 it does not say that it misses a certificate.
        sentences.contains("handshake failure") ? sentences + advice(onTLS: address) : sentences)
    }
    if reason.hasPrefix(RedisLink.sentinelRefusal) {
      return engine(
        "The engine at \(address) cannot be used: \(text).",
        "Check sentinel-user and sentinel-password of its URL, and the rights of that user.")
    }
    guard RedisLink.isLoginRefusal(reason) else {
      return engine(
        "The engine at \(address) cannot be used: \(text).",
        RedisLink.isRefusal(reason)
          ? "Check the database of its URL, and whether that names Sentinels."
          : isCutOff(text) ? engineAdvice + advice(onTLS: address) : engineAdvice)
    }
    return engine(
      "The engine at \(address) refuses the log-in: \(text).",
      "Check the user and the password of its URL, and the rights of that user.")
  }

  /// An engine with TLS ends a connection without it at once, and one without a certificate if it
  /// asks for that.
  private static func isCutOff(_ reason: String) -> Bool {
    ["end of input", "lost (", "has sent"].contains { reason.contains($0) }
  }

  private static func advice(onTLS address: RedisAddress) -> String {
    switch address.tls {
    case nil: " If it uses TLS on that port, begin its URL with rediss instead of redis."
    case let tls? where tls.identity == nil:
      " If it asks for a certificate, name one with cert=FILE and key=FILE in its URL."
    case _?: ""
    }
  }

  static func silentEngine(_ address: RedisAddress) -> Self {
    engine("The engine at \(address) does not answer.", engineAdvice)
  }

  fileprivate static func engine(_ sentences: String...) -> Self {
    StartError(code: .unavailable, sentence: sentences.joined(separator: " "))
  }

  private static let engineAdvice =
    "Check that it runs, and that its URL names the primary or the Sentinels."
}
