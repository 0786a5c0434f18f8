import Shared

/// A command that has not been answered yet.
struct PendingCommand {
  /// `nil` for a command in plain words.
  let id: RequestID?
  let command: Command
  /// When it was sent.
  let time: Duration
}
/// A player's end of one link. It splits the input into lines, and checks that each command has one
/// reply, in order, and that no line comes before `hello` or after `bye`.
final class PlayerConnection {
  let link: SimulatedLink
  weak var player: SimulatedPlayer?
  private let connection: SimulatedConnection
  private var framer = LineFramer(limit: ProtocolLimits.maxEventLine)
  private var decoder = EventDecoder()
  private(set) var pending: [PendingCommand] = []
  private(set) var hasHello = false
  private(set) var bye: ByeCode?
  private(set) var hasEndedInput = false
  /// The codes of `bye` that the player's behaviour explains.
  var allowedByes: Set<ByeCode> = [.shutdown]
  private var lastID = 0

  init(_ connection: SimulatedConnection, player: SimulatedPlayer) {
    self.connection = connection
    link = connection.link
    self.player = player
    connection.delegate = self
  }

  /// Whether a reply is missing. A command in words has no `id`, so its reply cannot be recognized.
  var isWaiting: Bool { pending.contains { $0.id != nil } }

  /// Whether a `cancel` in words may have its reply now.
  var hasCancelInWords: Bool { pending.contains { $0.id == nil && $0.command == .cancel } }

  var isReading: Bool {
    get { connection.isReading }
    set { connection.isReading = newValue }
  }

  func send(_ command: Command, inWords words: String? = nil) {
    let now = player?.world.now ?? .zero
    if let words {
      player?.world.lobby.note(command, id: nil, on: link.number)
      pending.append(PendingCommand(id: nil, command: command, time: now))
      return send(line: words)
    }
    lastID += 1
    let id = lastID % 3 == 0 ? RequestID.text("c\(lastID)") : .integer(lastID)
    player?.world.lobby.note(command, id: id, on: link.number)
    pending.append(PendingCommand(id: id, command: command, time: now))
    var line: [UInt8] = []
    CommandEncoder.append(command, id: id, to: &line)
    connection.send(line.span)
  }

  /// Sends a line, which is given without its LF. Its reply is not checked.
  func send(line: String) {
    connection.send(Array("\(line)\n".utf8).span)
  }

  func endInput() {
    hasEndedInput = true
    connection.endInput()
  }

  func close() {
    connection.close()
  }

  private func handle(_ line: Span<UInt8>) throws(ViolationError) {
    guard let player else { return }
    let text = line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    player.note("< \(text)", link)
    let received: ReceivedEvent
    do throws(LineError) {
      received = try decoder.decode(line)
    } catch {
      throw ViolationError("a line that cannot be read: \(text)")
    }
    try require(bye == nil, "a line after bye: \(text)")
    switch received.event {
    case .hello:
      try require(!hasHello, "hello twice")
      (hasHello, player.world.helloLength) = (true, text.utf8.count)
    case .bye(let code, _, _, _):
      bye = code
    default:
      try require(hasHello, "a line before hello: \(text)")
    }
    try player.connection(
      self, didReceive: received, line: text, answering: takePending(received.re))
  }

  /// The command that a line replies to.
  private func takePending(_ re: RequestID?) throws(ViolationError) -> PendingCommand? {
    guard let re else { return nil }
    guard let index = pending.firstIndex(where: { $0.id == re }) else {
      throw ViolationError("a second reply, or a reply to no command: \(re)")
    }
    // Replies to commands in words have no `re`.
    if let skipped = pending[..<index].first(where: { $0.id != nil }) {
      throw ViolationError("no answer to \(skipped)")
    }
    let answered = pending[index]
    pending.removeFirst(index + 1)
    return answered
  }
}

extension PlayerConnection: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    var offset = 0
    do throws(ViolationError) {
      while true {
        switch framer.next(in: bytes, from: &offset) {
        case .line(let range): try handle(bytes.extracting(range))
        case .joined(let line): try handle(line.span)
        case .needsMore: return
        case .tooLong: throw ViolationError("a line that is too long")
        }
      }
    } catch {
      player?.fail(error)
    }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    player?.note("end \(end)", link)
    if end == .inputEnded, bye == nil, !hasEndedInput {
      player?.fail(ViolationError("closed without bye"))
    }
    close()
    player?.connectionDidEnd(self)
  }
}
