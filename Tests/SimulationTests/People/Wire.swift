import Shared

/// A person's end of one link: cuts what comes into lines, and sees that each command is answered
/// once, in order, and that nothing comes before `hello` or after `bye`.
final class Wire {
  let link: SimulatedLink
  weak var person: Person?
  private let connection: SimulatedConnection
  private var framer = LineFramer(limit: ProtocolLimits.maxEventLine)
  private var decoder = EventDecoder()
  private(set) var pending: [Pending] = []
  private(set) var isGreeted = false
  private(set) var bye: ByeCode?
  private(set) var hasEndedInput = false
  /// The goodbyes that it has earned.
  var earned: Set<ByeCode> = [.shutdown]
  private var lastID = 0

  init(_ connection: SimulatedConnection, person: Person) {
    self.connection = connection
    link = connection.link
    self.person = person
    connection.delegate = self
  }

  /// Something that it asked for has not come yet; of what was asked in words nobody can tell.
  var isWaiting: Bool { pending.contains { $0.id != nil } }

  var isReading: Bool {
    get { connection.isReading }
    set { connection.isReading = newValue }
  }

  func send(_ command: Command, inWords words: String? = nil) {
    let now = person?.world.now ?? .zero
    if let words {
      pending.append(Pending(id: nil, command: command, time: now))
      return send(line: words)
    }
    lastID += 1
    let id = lastID % 3 == 0 ? RequestID.text("c\(lastID)") : .integer(lastID)
    pending.append(Pending(id: id, command: command, time: now))
    var line: [UInt8] = []
    CommandEncoder.append(command, id: id, to: &line)
    connection.send(line.span)
  }

  /// Without its LF; what it is answered is no matter.
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

  private func handle(_ line: Span<UInt8>) throws(Violation) {
    guard let person else { return }
    let text = line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    person.note("< \(text)", link)
    let received: ReceivedEvent
    do throws(LineError) {
      received = try decoder.decode(line)
    } catch {
      throw Violation("a line that cannot be read: \(text)")
    }
    try demand(bye == nil, "a line after bye: \(text)")
    switch received.event {
    case .hello:
      try demand(!isGreeted, "hello twice")
      isGreeted = true
    case .bye(let code, _, _):
      bye = code
    default:
      try demand(isGreeted, "a line before hello: \(text)")
    }
    try person.wire(self, got: received, line: text, answering: takePending(received.re))
  }

  /// The command that a line answers.
  private func takePending(_ re: RequestID?) throws(Violation) -> Pending? {
    guard let re else { return nil }
    guard let index = pending.firstIndex(where: { $0.id == re }) else {
      throw Violation("an answer to what was not asked, or answered: \(re)")
    }
    // Those in words have had answers that nobody can tell.
    if let skipped = pending[..<index].first(where: { $0.id != nil }) {
      throw Violation("no answer to \(skipped)")
    }
    let answered = pending[index]
    pending.removeFirst(index + 1)
    return answered
  }
}

extension Wire: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    var offset = 0
    do throws(Violation) {
      while true {
        switch framer.next(in: bytes, from: &offset) {
        case .line(let range): try handle(bytes.extracting(range))
        case .joined(let line): try handle(line.span)
        case .needsMore: return
        case .tooLong: throw Violation("a line that is too long")
        }
      }
    } catch {
      person?.fail(error)
    }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    person?.note("end \(end)", link)
    if end == .inputEnded, bye == nil, !hasEndedInput {
      person?.fail(Violation("closed without bye"))
    }
    close()
    person?.wireDidEnd(self)
  }
}
