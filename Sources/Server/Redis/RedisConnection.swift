import Shared

/// One connection to an engine. Requests go out at once, one behind the other, and their replies
/// come back in the same order. An engine that is silent while a reply is due is not believed
/// again: the connection ends, and with it all its requests.
final class RedisConnection {
  /// How long a reply may be due without a single byte from the engine.
  static let maxSilence: Duration = .milliseconds(500)
  /// How long the engine waits for its replicas. Redis looks at such limits ten times a second, so
  /// the reply comes up to 0.1 s later, and still before `maxSilence`.
  static let replicaTimeout: Duration = .milliseconds(300)
  /// The maximum number of commands without a reply, and of bytes that the system has not taken.
  static let maxCommands = 65_536
  static let maxUnsent = 67_108_864

  /// A class, so that its replies are never copied.
  private final class Request {
    /// The number of replies without that of `WAIT`.
    let count: Int
    let confirmed: Replication
    let answer: ([RedisReply]?) -> Void
    var replies: [RedisReply] = []

    init(count: Int, confirmed: Replication, answer: @escaping ([RedisReply]?) -> Void) {
      self.count = count
      self.confirmed = confirmed
      self.answer = answer
      replies.reserveCapacity(count)
    }
  }

  /// Called once, with a reason for people, when the connection ends; not after `close`.
  var onEnd: (_ reason: String) -> Void = { _ in }
  private let connection: any Connection
  private let timers: any Timers
  private let replicas: Int
  private let waitCommand: RedisCommands
  private var parser = RedisReplyParser()
  private var requests = FirstInFirstOut<Request>()
  /// Those that have all their replies, and wait for that to the next `WAIT`.
  private var unconfirmed: [Request] = []
  /// Sends that `WAIT`, unless a request does so before.
  private var waitTimer: (timer: LoopTimer, time: Duration)?
  private var commandCount = 0
  /// When the engine was last heard, or the first request that waits was sent.
  private var progress: Duration
  private var silenceTimer: LoopTimer?
  private var isEnded = false

  /// `replicas` have to confirm what is written durably; 0 means that none is asked.
  init(_ connection: any Connection, replicas: Int, timers: any Timers) {
    self.connection = connection
    self.replicas = replicas
    var wait = RedisCommands()
    wait.add("WAIT", String(replicas), String(Self.replicaTimeout.milliseconds))
    waitCommand = wait
    self.timers = timers
    progress = timers.now
    // The output of clients waits for the engine, so the engine's must not.
    connection.passesGate = true
    connection.delegate = self
  }

  /// The number of commands without a reply.
  var pendingCount: Int { commandCount }

  func send(
    _ commands: RedisCommands, confirmed: Replication, answer: @escaping ([RedisReply]?) -> Void
  ) {
    let confirmed = replicas > 0 ? confirmed : .never
    let count = commands.count + (confirmed == .now ? 1 : 0)
    guard !isEnded, !commands.isEmpty, commandCount + count <= Self.maxCommands,
      connection.unsent + commands.bytes.count <= Self.maxUnsent
    else {
      timers.schedule(after: .zero) { answer(nil) }
      return
    }
    append(Request(count: commands.count, confirmed: confirmed, answer: answer))
    connection.send(commands.bytes.span)
    switch confirmed {
    case .never: break
    case .now: sendWait()
    case .soon(let delay): sendWait(within: delay)
    }
  }

  private func append(_ request: Request) {
    if requests.isEmpty { progress = timers.now }
    commandCount += request.count + (request.confirmed == .now ? 1 : 0)
    requests.append(request)
    watchSilence()
  }

  /// Confirms all that was sent before.
  private func sendWait() {
    waitTimer?.timer.cancel()
    waitTimer = nil
    let wait = waitCommand.bytes
    connection.send(wait.span)
  }

  private func sendWait(within delay: Duration) {
    let time = timers.now + delay
    if let waitTimer {
      guard time < waitTimer.time else { return }
      waitTimer.timer.cancel()
    }
    let timer = timers.schedule(after: delay) { [weak self] in
      guard let self, !isEnded else { return }
      append(Request(count: 0, confirmed: .now) { _ in })
      sendWait()
    }
    waitTimer = (timer, time)
  }

  /// Ends the connection. Requests without all their replies are answered with `nil`.
  func close() {
    onEnd = { _ in }
    end(because: "closed")
  }

  private func watchSilence() {
    guard silenceTimer == nil, !requests.isEmpty, !isEnded else { return }
    let left = progress + Self.maxSilence - timers.now
    silenceTimer = timers.schedule(after: max(left, .milliseconds(1))) { [weak self] in
      self?.checkSilence()
    }
  }

  private func checkSilence() {
    silenceTimer = nil
    guard !requests.isEmpty else { return }
    if timers.now - progress >= Self.maxSilence {
      end(because: "no reply for \(Self.maxSilence.milliseconds) ms")
    } else {
      watchSilence()
    }
  }

  private func end(because reason: String) {
    guard !isEnded else { return }
    isEnded = true
    silenceTimer?.cancel()
    waitTimer?.timer.cancel()
    connection.delegate = nil
    connection.reset()
    let left = unconfirmed + requests.removeAll()
    unconfirmed = []
    commandCount = 0
    onEnd(reason)
    onEnd = { _ in }
    // In a later turn, because this may be within a call of `send`'s caller.
    guard !left.isEmpty else { return }
    timers.schedule(after: .zero) { for request in left { request.answer(nil) } }
  }

  private func receive(_ reply: RedisReply) {
    if case .error(let text) = reply, Self.meansOtherPrimary(text) {
      return end(because: text)
    }
    guard let request = requests.first else { return end(because: "a reply to no request") }
    commandCount -= 1
    if request.replies.count < request.count {
      request.replies.append(reply)
      if request.confirmed == .now || request.replies.count < request.count { return }
    } else if reply.number ?? 0 < replicas {
      // The request is still in the queue, so it is answered with `nil` like the others.
      return end(because: "too few replicas have what was written")
    }
    requests.removeFirst()
    switch request.confirmed {
    case .soon: return unconfirmed.append(request)
    case .never: break
    case .now:
      // They were sent before this one, because they have their replies.
      let confirmed = unconfirmed
      unconfirmed = []
      for request in confirmed { request.answer(request.replies) }
    }
    request.answer(request.replies)
  }

  /// Whether an error says that the engine cannot be written now: it is a replica, has none, is
  /// still reading its files, or its disk is full. Another connection may find another primary.
  static func meansOtherPrimary(_ error: String) -> Bool {
    let code = error.prefix { $0 != " " }
    return ["READONLY", "LOADING", "MASTERDOWN", "NOREPLICAS", "UNBLOCKED", "MISCONF"]
      .contains(String(code))
  }
}

extension RedisConnection: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    progress = timers.now
    parser.append(bytes)
    do throws(RedisProtocolError) {
      while !isEnded, let reply = try parser.next() { receive(reply) }
    } catch {
      end(because: "the engine has sent \(error.reason)")
    }
  }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    self.end(because: end.reason)
  }
}

/// Elements in the order in which they came. On average the first is removed in constant time.
private struct FirstInFirstOut<Element> {
  private var elements: [Element] = []
  private var start = 0

  var isEmpty: Bool { start == elements.count }
  var first: Element? { isEmpty ? nil : elements[start] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeFirst() {
    start += 1
    guard start * 2 >= elements.count else { return }
    elements.removeFirst(start)
    start = 0
  }

  /// Returns what was left.
  mutating func removeAll() -> [Element] {
    defer {
      elements = []
      start = 0
    }
    return Array(elements[start...])
  }
}
