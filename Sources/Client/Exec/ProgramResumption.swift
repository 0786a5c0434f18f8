import RIBs
import Shared

/// One attempt to continue a program's session on another connection: connects, resumes, and
/// follows further moves. If the session is over and no match is lost with it, logs in again under
/// the same name. `answer` is called once, unless the attempt is cancelled, which closes the
/// connection. After success the owner takes the connection over.
final class ProgramResumption: Cancellable {
  typealias Answer = (Result<Login, LoginError>) -> Void

  private enum State {
    case connecting(any Cancellable)
    case greeting(any Connection)
    case resuming(any Connection)
    /// The old session is over.
    case loggingIn(any Connection)
    /// The owner has the connection.
    case over
  }

  /// The id of the `resume` and of the `login`. No other command waits on its connection.
  private static let id = RequestID.text("exec")

  /// The server of the current connection, or of the last one.
  private(set) var address: ServerAddress
  private let token: String?
  private let seq: Int
  private let newLogin: Command?
  private let loop: EventLoop
  private let tls: TLSContext?
  private let allowsMove: () -> Bool
  private let didReachServer: () -> Void
  private let handOver: (any Connection, Span<UInt8>, Login) -> Void
  private let answer: Answer
  private var state = State.over
  private var timeout: LoopTimer?
  private var framer = LineFramer(limit: ProtocolLimits.maxEventLine - 1)
  private var decoder = EventDecoder()
  private var login: Login?

  /// Without a token, the program has not logged in, and the attempt is over with the greeting.
  /// `allowsMove` counts a move and returns whether to follow it. `didReachServer` is called when
  /// the token is sent. `handOver` is called after `answer`, with the connection and the bytes that
  /// have already arrived.
  init(
    of session: ProgramSession, at address: ServerAddress, loop: EventLoop, tls: TLSContext?,
    allowsMove: @escaping () -> Bool, didReachServer: @escaping () -> Void,
    answer: @escaping Answer,
    handOver: @escaping (any Connection, Span<UInt8>, Login) -> Void
  ) {
    token = session.token
    seq = session.seq
    newLogin = session.newLogin
    self.address = address
    self.loop = loop
    self.tls = tls
    self.allowsMove = allowsMove
    self.didReachServer = didReachServer
    self.answer = answer
    self.handOver = handOver
  }

  func begin() {
    framer = LineFramer(limit: ProtocolLimits.maxEventLine - 1)
    timeout = loop.schedule(after: ServerLink.answerTimeout) { [weak self] in
      self?.fail(.link(.silent))
    }
    state = .connecting(
      loop.connect(host: address.host, port: address.port, tls: tls) { [weak self] result in
        switch result {
        case .success(let connection):
          self?.state = .greeting(connection)
          connection.delegate = self
        case .failure(let failure):
          self?.fail(.link(failure))
        }
      })
  }

  func cancel() {
    timeout?.cancel()
    switch state {
    case .connecting(let connecting): connecting.cancel()
    case .greeting(let connection), .resuming(let connection), .loggingIn(let connection):
      connection.close()
    case .over: break
    }
    state = .over
  }

  private func fail(_ error: LoginError) {
    cancel()
    answer(.failure(error))
  }

  private func handle(_ line: Span<UInt8>) {
    let received: ReceivedEvent
    do throws(LineError) { received = try decoder.decode(line) } catch {
      return fail(.link(.notOurServer))
    }
    switch (state, received.event) {
    case (_, .bye(.moved, _, _, let to)):
      move(to: to.flatMap { ServerAddress($0, usesTLS: address.usesTLS) })
    case (_, .bye(let code, let message, let retry, _)):
      fail(.link(.bye(code, message, retry: retry)))
    case (.greeting(let connection), .hello(let hello))
    where hello.protocolVersion == Hello.currentProtocol:
      guard let token else { return login = Login(name: "", token: nil, place: nil) }
      state = .resuming(connection)
      send(.resume(token: token, seq: seq), over: connection)
      didReachServer()
    case (.resuming, .didLogin(let name, let token, let place, let isRegistered)),
      (.loggingIn, .didLogin(let name, let token, let place, let isRegistered))
    where received.re == Self.id:
      login = Login(name: name, token: token, place: place, isRegistered: isRegistered)
    case (.resuming(let connection), .error(.unknownToken, _, _, _)) where newLogin != nil:
      state = .loggingIn(connection)
      if let newLogin { send(newLogin, over: connection) }
    case (.resuming, .error(let code, let message, _, let retry)),
      (.loggingIn, .error(let code, let message, _, let retry))
    where received.re == Self.id:
      fail(.refused(code, message.naming(retry)))
    default:
      fail(.link(.notOurServer))
    }
  }

  private func send(_ command: Command, over connection: any Connection) {
    var line: [UInt8] = []
    CommandEncoder.append(command, id: Self.id, to: &line)
    connection.send(line.span)
  }

  private func move(to target: ServerAddress?) {
    guard let target, allowsMove() else { return fail(.link(.lost)) }
    cancel()
    address = target
    begin()
  }

  private func isCurrent(_ connection: any Connection) -> Bool {
    switch state {
    case .greeting(let mine), .resuming(let mine), .loggingIn(let mine): mine === connection
    case .connecting, .over: false
    }
  }
}

extension ProgramResumption: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    var offset = 0
    while isCurrent(connection) {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): handle(bytes.extracting(range))
      case .joined(let line): handle(line.span)
      case .needsMore: return
      case .tooLong: return fail(.link(.notOurServer))
      }
      guard let login else { continue }
      state = .over
      timeout?.cancel()
      answer(.success(login))
      handOver(connection, bytes.extracting(offset..<bytes.count), login)
    }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    if isCurrent(connection) { fail(.link(.lost)) }
  }
}
