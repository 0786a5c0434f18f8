import Foundation

/// A small HTTP server for monitoring. It takes few connections and small requests, and sends at
/// most one response to each connection in a turn, so no client can delay the games.
package final class HTTPServer {
  /// The maximum number of connections. For a further one, the connection is reset whose client has
  /// done nothing for the longest time, so idle clients keep no health check out.
  package static let maxConnections = 16

  fileprivate let timers: any Timers
  private let answer: (HTTPRequest) -> HTTPResponse
  private let now: () -> Double
  private var connections: [HTTPConnection] = []
  /// The number of connections whose descriptors are open.
  private var open = 0
  private var isClosed = false

  /// `now` is the time in seconds since 1970, for `Date`.
  package init(
    timers: any Timers, now: @escaping () -> Double = { Date().timeIntervalSince1970 },
    answer: @escaping (HTTPRequest) -> HTTPResponse
  ) {
    self.timers = timers
    self.now = now
    self.answer = answer
  }

  package func accept(_ connection: any Connection) {
    guard !isClosed else { return connection.reset() }
    // The connections are in the order in which they last got an answer.
    if open >= Self.maxConnections { connections.first?.reset() }
    guard open < Self.maxConnections else { return connection.reset() }
    open += 1
    // Also while the output of players waits for the engine of a cluster.
    connection.passesGate = true
    connection.onClose = { [weak self] in self?.open -= 1 }
    connections.append(HTTPConnection(connection, server: self))
  }

  fileprivate func remove(_ connection: HTTPConnection) {
    connections.removeAll { $0 === connection }
  }

  /// A client has got an answer, so it is the last one to be reset for another.
  fileprivate func didAnswer(_ connection: HTTPConnection) {
    remove(connection)
    connections.append(connection)
  }

  fileprivate func bytes(for request: HTTPRequest) -> [UInt8] {
    answer(request).bytes(
      at: now(), keepsConnection: request.keepsConnection, onlyHead: request.method == "HEAD")
  }

  fileprivate func bytes(for status: HTTPStatus) -> [UInt8] {
    HTTPResponse(status).bytes(at: now(), keepsConnection: false, onlyHead: false)
  }

  /// Closes all connections, and accepts no more.
  package func close() {
    isClosed = true
    for connection in connections { connection.close() }
  }
}

/// A connection of an `HTTPServer`, which holds it until it is closed.
private final class HTTPConnection {
  /// How long a client may take for a request, from the connection or the answer before, and to
  /// read an answer.
  static let timeout: Duration = .seconds(10)

  private let connection: any Connection
  private unowned let server: HTTPServer
  private var reader = HTTPRequestReader()
  private var timer: LoopTimer?

  init(_ connection: any Connection, server: HTTPServer) {
    self.connection = connection
    self.server = server
    connection.delegate = self
    startTimer()
  }

  private func startTimer() {
    timer?.cancel()
    timer = server.timers.schedule(after: Self.timeout) { [unowned self] in didTimeOut() }
  }

  private func didTimeOut() {
    // A client that does not read would not read this either.
    if connection.unsent > 0 { return reset() }
    if !reader.isEmpty { send(server.bytes(for: .requestTimeout)) }
    close()
  }

  private func send(_ bytes: [UInt8]) { connection.send(bytes.span) }

  /// Sends the response to the next request, if that has arrived.
  private func answerNext() {
    do throws(HTTPStatus) {
      guard let request = try reader.next() else { return }
      send(server.bytes(for: request))
      guard request.keepsConnection else { return close() }
      startTimer()
      server.didAnswer(self)
      // The client gets the next answer in a later turn, and after it has read this one.
      connection.isReading = false
      server.timers.schedule(after: .zero) { [weak self] in self?.readOn() }
    } catch {
      send(server.bytes(for: error))
      close()
    }
  }

  private func readOn() {
    connection.flush()
    guard connection.unsent == 0 else { return }
    connection.isReading = true
    answerNext()
  }

  /// Closes the connection when the client has got everything.
  func close() {
    end()
    connection.close()
  }

  func reset() {
    end()
    connection.reset()
  }

  private func end() {
    timer?.cancel()
    server.remove(self)
  }
}

extension HTTPConnection: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    reader.append(bytes)
    answerNext()
  }

  func connectionDidDrain(_ connection: any Connection) {
    guard !connection.isReading else { return }
    connection.isReading = true
    answerNext()
  }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) { close() }
}
