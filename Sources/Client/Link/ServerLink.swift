import Shared

/// How a link to the server is.
enum LinkState: Equatable {
  case connecting
  /// The server has greeted.
  case open(Hello)
  case closed(LinkFailure)
}

/// Why a link is closed.
enum LinkFailure: Error, Equatable {
  case unknownHost
  /// With the system's words.
  case cannotConnect(String)
  /// The server has said goodbye, with its sentence.
  case bye(ByeCode, String)
  /// The connection ended without a goodbye.
  case lost
  /// The other end takes connections but does not greet.
  case silent
  /// What the other end writes is not this protocol.
  case notOurServer
  /// The server's events do not fit together.
  case outOfStep
}

/// The connection to the server, as long as Root runs it: lines in, as events, and commands out.
final class ServerLink: Worker {
  /// Longest line of the server's, in bytes, newline excluded.
  static let longestLine = EventEncoder.longestLine - 1

  /// How long the greeting of a server that has been reached is waited for.
  static let patience: Duration = .seconds(10)

  private let host: String
  private let port: UInt16
  private let timers: any Timers
  private let connect: Connect
  private let current = CurrentValue(LinkState.connecting)
  private let received = EventSource<ReceivedEvent>()
  private var connecting: (any Cancellable)?
  private var greetingLimit: LoopTimer?
  private var connection: (any Connection)?
  private var decoder = EventDecoder()
  private var framer = LineFramer(limit: longestLine)
  private var line: [UInt8] = []
  private var lastID = 0
  private var answers: [RequestID: (Event) -> Void] = [:]

  /// Opens a connection, and answers once unless it is cancelled before.
  typealias Connect = (
    _ host: String, _ port: UInt16,
    _ answer: @escaping (Result<any Connection, LinkFailure>) -> Void
  ) -> any Cancellable

  init(host: String, port: UInt16, timers: any Timers, connect: @escaping Connect) {
    self.host = host
    self.port = port
    self.timers = timers
    self.connect = connect
  }

  var state: Stream<LinkState> { current.stream }

  var isOpen: Bool {
    if case .open = current.value { return true }
    return false
  }

  /// Every event but the greeting and the goodbye, which are states.
  var events: Stream<ReceivedEvent> { received.stream }

  override func didStart(_ interactorScope: any InteractorScope) {
    connecting = connect(host, port) { [weak self] result in
      guard let self else { return }
      connecting = nil
      switch result {
      case .success(let connection):
        self.connection = connection
        connection.delegate = self
        greetingLimit = timers.schedule(after: Self.patience) { [weak self] in
          self?.close(.silent)
        }
      case .failure(let failure):
        close(failure)
      }
    }
  }

  override func didStop() {
    connecting?.cancel()
    connecting = nil
    greetingLimit?.cancel()
    connection?.close()
    connection = nil
  }

  /// Sends a command; `answer` is called with the one event that answers it. An error goes nowhere
  /// else, any other event to `events` as well, afterwards. Where the link is not open, or closes
  /// before, no answer comes.
  func send(_ command: Command, answer: @escaping (Event) -> Void = { _ in }) {
    guard let connection else { return }
    lastID += 1
    answers[.integer(lastID)] = answer
    line.removeAll(keepingCapacity: true)
    CommandEncoder.append(command, id: .integer(lastID), to: &line)
    let line = line
    connection.send(line.span)
  }

  /// Gives the link up.
  func close(_ failure: LinkFailure) {
    if case .closed = current.value { return }
    greetingLimit?.cancel()
    connection?.close()
    connection = nil
    answers = [:]
    current.send(.closed(failure))
  }

  private func handle(_ line: Span<UInt8>) {
    let event: ReceivedEvent
    do throws(LineError) { event = try decoder.decode(line) } catch { return close(.notOurServer) }
    switch (current.value, event.event) {
    case (.connecting, .hello(let hello)) where hello.protocolVersion == Hello.currentProtocol:
      greetingLimit?.cancel()
      current.send(.open(hello))
    case (_, .bye(let code, let message, _)):
      close(.bye(code, message))
    case (.open, _):
      let answer = event.re.flatMap { answers.removeValue(forKey: $0) }
      answer?(event.event)
      if case .error = event.event, answer != nil { return }
      received.send(event)
    case (.connecting, _), (.closed, _):
      close(.notOurServer)
    }
  }
}

extension ServerLink: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    var offset = 0
    while self.connection != nil {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): handle(bytes.extracting(range))
      case .joined(let line): handle(line.span)
      case .needsMore: return
      case .tooLong: return close(.notOurServer)
      }
    }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    close(.lost)
  }
}
