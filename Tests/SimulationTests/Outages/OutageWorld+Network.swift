import TestSupport

@testable import Server
@testable import Shared

/// Time and the network.
extension OutageWorld {
  func turn(_ step: Duration = .milliseconds(100)) {
    moveBytes()
    // What a helper thread answers may send more.
    for _ in 0..<3 {
      server.journalWorker.runAll()
      server.otherWorker.runAll()
      server.endTurn()
      server.network.run()
      client?.settle()
    }
    clock.advance(by: step)
    server.clock.advance(by: step)
    let due = losses.filter { $0.at <= clock.now }
    losses.removeAll { $0.at <= clock.now }
    for loss in due { loss.connection.failAtServer() }
    client?.settle()
  }

  private func moveBytes() {
    if let steps = stepsToBreak {
      stepsToBreak = nil
      for _ in 0..<steps where server.network.step() {}
      breakLast()
    }
    server.network.run()
  }

  /// Turns until the condition holds, for a limited time. Returns whether it does.
  @discardableResult
  func turn(for limit: Duration, until condition: () -> Bool) -> Bool {
    let end = clock.now + limit
    while !condition() {
      guard clock.now < end, failure == nil else { return false }
      turn()
    }
    return true
  }

  func pass(_ time: Duration) { turn(for: time) { false } }

  private func connect() -> (any Connection)? {
    guard !isUnreachable else { return nil }
    guard !speaksOtherProtocol else { return connectToStranger() }
    let connection = FragileConnection(server.connect())
    connections.append(connection)
    if earlyBreaks > 0 {
      earlyBreaks -= 1
      stepsToBreak = random.int(0...8)
    }
    return connection
  }

  private func connectToStranger() -> any Connection {
    let (near, far) = server.network.connect()
    strangers.append(far)
    far.send(Array("{\"type\":\"hello\",\"protocol\":2}\n".utf8).span)
    return near
  }

  /// Breaks the client's connection. The server learns of it at once, or late.
  func breakLast() {
    guard let connection = connections.last, !connection.isOver else { return }
    let delay =
      random.happens(percent: 50) ? .zero : random.duration(.seconds(1)...Duration.seconds(30))
    if delay == .zero {
      connection.failAtServer()
    } else {
      losses.append((connection, clock.now + delay))
    }
    connection.fail()
  }

  func makeClient() -> OutageClient {
    OutageClient(
      mode, name: "ann", clock: clock, state: folder + "/state", seed: random.seed(),
      connect: { [unowned self] in connect() })
  }

  /// A player at a terminal with netcat, who says some lines. Each may need a helper thread.
  func say(_ lines: [String], keeping line: LineClient? = nil) -> (LineClient, [String]) {
    let line = line ?? LineClient(server.connect(), on: server.network)
    var replies: [String] = []
    for text in lines {
      line.sendOnly(text)
      for _ in 0..<3 { turn(.milliseconds(10)) }
      replies += line.takeLines()
    }
    return (line, replies)
  }
}
