import Shared

@testable import Client

/// One of several servers that are one: a listener on the loopback that replies by a script.
final class ScriptedNode {
  typealias Script = (Command) -> [Event]

  /// The commands that have arrived, except `ping`.
  private(set) var received: [Command] = []
  /// The number of connections so far.
  private(set) var connections = 0
  /// What every new connection gets after the greeting, before it is closed; `nil` serves it.
  var refusal: Event?
  private var listener: TCPListener?
  private var clients: [Client] = []
  private let script: Script
  private let loop: EventLoop
  private let makeTLS: (() throws -> TLSSession)?

  /// The first event of the script is the reply to the command. With `makeTLS`, each connection has
  /// such a session of a server.
  init(
    on loop: EventLoop, makeTLS: (() throws -> TLSSession)? = nil, _ script: @escaping Script
  ) throws {
    self.script = script
    self.loop = loop
    self.makeTLS = makeTLS
    let ip = IPAddress([127, 0, 0, 1]) ?? .loopback
    listener = try TCPListener(
      loop: loop, address: SocketAddress(ip, port: 0)
    ) { [unowned self] in accept($0) }
  }

  var port: UInt16 { listener?.address.port ?? 0 }

  var address: String { "127.0.0.1:\(port)" }

  /// Closes all connections without a `bye`.
  func cut() {
    for client in clients { client.connection.reset() }
    clients = []
  }

  private func accept(_ connection: TCPConnection) {
    guard let session = try? makeTLS?() else { return serve(connection) }
    _ = TLSHandshake(over: connection, session: session, timers: loop) { [weak self] in
      if case .success(let secured) = $0 { self?.serve(secured) }
    }
  }

  private func serve(_ connection: any Connection) {
    connections += 1
    let client = Client(connection) { [unowned self] in reply(to: $0, on: $1) }
    clients.append(client)
    client.send(
      .hello(
        Hello(
          protocolVersion: 1, server: "test 1",
          games: [
            GameSummary(id: "tictactoe", name: "Tic Tac Toe", rows: 3, columns: 3, inARow: 3)
          ],
          limits: Limits(line: 4_096, resumeWithin: .seconds(30)), help: "Help.")), nil)
    if let refusal {
      client.send(refusal, nil)
      client.connection.close()
    }
  }

  private func reply(to request: Request, on client: Client) {
    if request.command == .ping { return client.send(.pong, request.id) }
    if case .list(let list) = request.command {
      return client.send(list == .players ? .players(Page([])) : .matches(Page([])), request.id)
    }
    received.append(request.command)
    var id = request.id
    for event in script(request.command) {
      client.send(event, id)
      id = nil
      if case .bye = event { client.connection.close() }
    }
  }

  /// One connection.
  private final class Client: ConnectionDelegate {
    let connection: any Connection
    private let handle: (Request, Client) -> Void
    private var framer = LineFramer(limit: ProtocolLimits.maxCommandLine)
    private let decoder = CommandDecoder()

    init(_ connection: any Connection, handle: @escaping (Request, Client) -> Void) {
      self.connection = connection
      self.handle = handle
      connection.delegate = self
    }

    func send(_ event: Event, _ re: RequestID?) {
      EventEncoder.withLine(event, re: re) { _ = connection.send($0) }
    }

    func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
      var offset = 0
      while true {
        switch framer.next(in: bytes, from: &offset) {
        case .line(let range): handle(bytes.extracting(range))
        case .joined(let line): handle(line.span)
        case .needsMore, .tooLong: return
        }
      }
    }

    private func handle(_ line: Span<UInt8>) {
      do throws(LineError) {
        if let request = try decoder.decode(line) { handle(request, self) }
      } catch {
        preconditionFailure("The client has sent what is no command.")
      }
    }

    func connectionDidDrain(_ connection: any Connection) {}

    func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
      connection.close()
    }
  }
}
