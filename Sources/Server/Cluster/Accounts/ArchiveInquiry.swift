import Shared

/// Asks the followers of a cluster for a match that the engine has no more. A connection stands
/// only as long as an answer takes. A follower that is gone costs only the commands that need it.
final class ArchiveInquiry {
  /// How long one follower may take to answer.
  static let timeout: Duration = .seconds(2)
  /// How long ago the word of a follower may be. One that is silent for longer is not asked.
  static let maxSilence: Duration = .seconds(30)

  /// Set when the node listens; without it no follower is asked.
  var connect: RedisLink.Connect?
  private let engine: any Redis
  private let timers: any Timers
  /// Those that are under way.
  private var questions: [ArchiveQuestion] = []

  init(engine: any Redis, timers: any Timers) {
    self.engine = engine
    self.timers = timers
  }

  /// Returns the events of a match after one; `notFinished` if no follower has the match, and
  /// `unavailable` if one that may have it does not answer.
  func replay(of match: String, after seq: Int, answer: @escaping CommandAnswer<StoredReplay>) {
    var commands = RedisCommands()
    commands.add("TIME")
    commands.add("HGETALL", RedisKey.archives)
    engine.send(commands, confirmed: .never) { [weak self] replies in
      guard let self, let replies, let seconds = replies.first?.elements?.first?.text,
        let now = Int(seconds), let words = replies.last?.elements?.map({ $0.text ?? "" })
      else { return answer(.failure(.engineIsAway)) }
      let oldest = (now - Int(Self.maxSilence.components.seconds)) * 1_000
      let known = stride(from: 0, to: words.count - 1, by: 2)
        .map { (address: words[$0], word: Int(words[$0 + 1]) ?? 0) }
        .sorted { ($1.word, $0.address) < ($0.word, $1.address) }
      let alive = known.filter { $0.word >= oldest }
      ask(
        alive.map(\.address)[...], for: match, seq,
        // One that has said nothing for long may have the match too.
        failure: alive.count < known.count ? .engineIsAway : .notFinished, answer: answer)
    }
  }

  private func ask(
    _ addresses: ArraySlice<String>, for match: String, _ seq: Int, failure: CommandError,
    answer: @escaping CommandAnswer<StoredReplay>
  ) {
    guard let connect, let first = addresses.first else { return answer(.failure(failure)) }
    guard let place = RedisAddress.Place(first[...], defaultPort: 0) else {
      return ask(addresses.dropFirst(), for: match, seq, failure: failure, answer: answer)
    }
    let question = ArchiveQuestion(match, after: seq, timers: timers)
    questions.append(question)
    question.onAnswer = { [weak self, unowned question] result in
      guard let self else { return }
      questions.removeAll { $0 === question }
      switch result {
      case .success(let replay): answer(.success(replay))
      case .failure(let error):
        ask(
          addresses.dropFirst(), for: match, seq,
          failure: error.code == .unknownMatch ? failure : error, answer: answer)
      }
    }
    question.start(at: place, connect)
  }
}

/// A question to one follower.
private final class ArchiveQuestion {
  private static let maxReply = 1_048_576

  var onAnswer: CommandAnswer<StoredReplay> = { _ in }
  private let match: String
  private let seq: Int
  private let timers: any Timers
  private var framer = LineFramer(limit: ProtocolLimits.maxEventLine)
  private var decoder = EventDecoder()
  private var header: ReplayHeader?
  private var lines: [UInt8] = []
  private var cancel: () -> Void = {}
  private var timer: LoopTimer?
  private var connection: (any Connection)?

  init(_ match: String, after seq: Int, timers: any Timers) {
    self.match = match
    self.seq = seq
    self.timers = timers
  }

  func start(at place: RedisAddress.Place, _ connect: RedisLink.Connect) {
    timer = timers.schedule(after: ArchiveInquiry.timeout) { [weak self] in
      self?.end(.failure(.engineIsAway))
    }
    cancel = connect(place) { [weak self] result in
      guard let self else { return }
      cancel = {}
      switch result {
      case .failure: end(.failure(.engineIsAway))
      case .success(let connection): ask(connection)
      }
    }
  }

  private func ask(_ connection: any Connection) {
    self.connection = connection
    connection.delegate = self
    connection.passesGate = true
    var line: [UInt8] = []
    CommandEncoder.append(.replay(match: match, seq: seq), to: &line)
    connection.send(line.span)
  }

  private func end(_ result: Result<StoredReplay, CommandError>) {
    cancel()
    timer?.cancel()
    connection?.delegate = nil
    connection?.reset()
    connection = nil
    let onAnswer = onAnswer
    self.onAnswer = { _ in }
    onAnswer(result)
  }

  /// Returns whether more lines are needed.
  private func take(_ line: Span<UInt8>) -> Bool {
    switch (try? decoder.decode(line))?.event {
    case .replayDidStart(let header)? where header.match == match:
      self.header = header
      return true
    case .replayDidEnd(match, let next)?:
      guard let header else { break }
      end(.success(StoredReplay(header: header, lines: lines, next: next)))
      return false
    case .error(.unknownMatch, _, _, _)?:
      end(.failure(.notFinished))
      return false
    default:
      guard header != nil, lines.count + line.count < Self.maxReply else { break }
      line.withUnsafeBufferPointer { lines.append(contentsOf: $0) }
      lines.append(UInt8(ascii: "\n"))
      return true
    }
    end(.failure(.engineIsAway))
    return false
  }
}

extension ArchiveQuestion: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    var offset = 0
    while true {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): guard take(bytes.extracting(range)) else { return }
      case .joined(let line): guard take(line.span) else { return }
      case .needsMore: return
      case .tooLong: return end(.failure(.engineIsAway))
      }
    }
  }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    self.end(.failure(.engineIsAway))
  }
}
