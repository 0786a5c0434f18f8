import Testing

@testable import Shared

@Suite struct OutputGateTests {
  private let fixture: ListenerFixture
  private let connection: TCPConnection
  private let peer: Peer
  private let recorder: ConnectionRecorder
  private var gate: OutputGate { fixture.loop.outputGate }

  init() throws {
    fixture = try ListenerFixture(.poll)
    (connection, peer, recorder) = try fixture.connect()
  }

  /// What the peer has received after a turn.
  private func received() throws -> String {
    try fixture.loop.turn(wait: .zero)
    return try peer.receiveText() ?? ""
  }

  @Test func `output leaves only after the commit`() throws {
    var steps: [String] = []
    gate.onCommit = { [gate, peer] in
      steps.append((try? peer.receiveText()) ?? "nothing sent")
      gate.open()
    }
    connection.send("one")
    gate.close(true)
    #expect(try received() == "one")
    #expect(steps == ["nothing sent"])
    connection.send("two")
    #expect(try received() == "two")
    #expect(steps.count == 1)
  }

  @Test func `a flush in the middle of a turn commits first too`() throws {
    var commits = 0
    gate.onCommit = { [gate] in
      commits += 1
      gate.open()
    }
    gate.close(true)
    connection.send("one")
    connection.flush()
    #expect(commits == 1)
    #expect(try peer.receiveText() == "one")
  }

  @Test func `in a long turn many events share a commit`() throws {
    var handled = 0
    var commits: [Int] = []
    gate.onCommit = { [gate] in
      commits.append(handled)
      gate.open()
    }
    let guests = try (0...EventLoop.eventsPerCommit).map { _ in try fixture.connect() }
    for (_, peer, recorder) in guests {
      recorder.onReceive = { [gate] connection, _ in
        handled += 1
        connection.send("answer")
        gate.close(true)
      }
      try peer.send("go")
    }
    try fixture.loop.turn(wait: .zero)
    #expect(commits == [EventLoop.eventsPerCommit, EventLoop.eventsPerCommit + 1])
    for (_, peer, _) in guests { peer.socket.close() }
  }

  @Test func `a turn without output commits too`() throws {
    var commits = 0
    gate.onCommit = { commits += 1 }
    gate.close(true)
    try fixture.loop.turn(wait: .zero)
    #expect(commits == 1)
  }

  @Test func `an open gate lets output leave before the commit`() throws {
    var found: String?
    gate.onCommit = { [gate, peer] in
      found = try? peer.receiveText()
      gate.open()
    }
    connection.send("one")
    gate.close(false)
    try fixture.loop.turn(wait: .zero)
    #expect(found == "one")
  }

  @Test func `output waits until its own commit is stored, and no longer`() throws {
    connection.send("one")
    gate.close(true)
    #expect(try received() == "")
    connection.send("two")
    gate.close(true)
    #expect(try received() == "")
    gate.advance(to: 1)
    #expect(try received() == "one")
    connection.send("three")
    #expect(try received() == "")
    gate.advance(to: 2)
    #expect(try received() == "twothree")
    #expect(recorder.drains == 1)
  }

  @Test func `output that leaves after two commits in one turn says nothing about later output`()
    throws
  {
    connection.send("one")
    gate.close(true)
    #expect(try received() == "")
    connection.send("two")
    gate.close(true)
    #expect(try received() == "")
    gate.advance(to: 1)
    gate.advance(to: 2)
    #expect(try received() == "onetwo")
    connection.send("three and four")
    gate.close(true)
    #expect(try received() == "")
    gate.advance(to: 3)
    #expect(try received() == "three and four")
  }

  @Test func `the owner of a connection is told only if much output waits, or for long`() throws {
    gate.close(true)
    connection.send("one")
    #expect(try received() == "")
    gate.advance(to: 1)
    #expect(try received() == "one")
    #expect(recorder.drains == 0)
    gate.close(true)
    connection.send(String(repeating: "x", count: 5_000))
    #expect(try received() == "")
    gate.advance(to: 2)
    #expect(try received().count == 5_000)
    #expect(recorder.drains == 1)
    // It paused, and so it waits for the drain.
    gate.close(true)
    connection.send("two")
    connection.isReading = false
    #expect(try received() == "")
    gate.advance(to: 3)
    #expect(try received() == "two")
    #expect(recorder.drains == 2)
  }

  @Test func `a connection with new output in each turn gets rid of its old output`() throws {
    var text = ""
    for number in 1...50 {
      connection.send("\(number) ")
      gate.close(true)
      text += try received()
      if number > 1 { gate.advance(to: number - 1) }
    }
    #expect(text.split(separator: " ").count > 40)
    gate.open()
    text += try received()
    #expect(text.split(separator: " ").map { Int($0) } == Array(1...50))
  }

  @Test func `what a full socket does not take waits for its own commit as well`() throws {
    let (connection, peer, recorder) = try fixture.connect(receiveBuffer: 4_096)
    let size = 3_000_000
    var received: [UInt8] = []
    func receive() throws {
      for _ in 0..<200 {
        try fixture.loop.turn(wait: .zero)
        while let bytes = try peer.receive() { received += bytes }
      }
    }
    for number in 1...4 {
      connection.send([UInt8](repeating: UInt8(number), count: size))
      gate.close(true)
      try fixture.loop.turn(wait: .zero)
      gate.advance(to: number - 1)
      try receive()
      #expect(received.allSatisfy { $0 < number })
    }
    gate.open()
    try fixture.loop.turn(until: {
      while let bytes = try peer.receive() { received += bytes }
      return received.count == 4 * size
    })
    #expect(received == (1...4).flatMap { [UInt8](repeating: UInt8($0), count: size) })
    #expect(recorder.drains >= 1)
    #expect(connection.unsent == 0)
  }

  @Test func `output after the last commit waits for it`() throws {
    gate.close(true)
    #expect(try received() == "")
    connection.send("one")
    #expect(try received() == "")
    gate.advance(to: 1)
    #expect(try received() == "one")
  }

  @Test func `a closed connection still sends what waits`() throws {
    connection.send("one")
    gate.close(true)
    connection.close()
    #expect(try received() == "")
    gate.open()
    #expect(try received() == "one")
    try fixture.loop.turn(wait: .zero)
    #expect(try peer.receive() == [])
    peer.socket.close()
  }

  @Test func `a connection may pass the gate`() throws {
    connection.passesGate = true
    connection.send("one")
    gate.close(true)
    #expect(try received() == "one")
    #expect(gate.isHeld)
  }

  @Test func `output that waits can be taken back, and other output can leave instead`() throws {
    connection.send("told")
    gate.close(true)
    gate.onCommit = { [gate] in gate.open() }
    #expect(try received() == "told")
    gate.onCommit = {}
    connection.send("never told")
    gate.close(true)
    #expect(try received() == "")
    connection.dropHeldOutput()
    #expect(connection.unsent == 0)
    connection.send("bye")
    #expect(try received() == "bye")
  }

  @Test func `an open gate has nothing to take back`() throws {
    connection.send("one")
    connection.dropHeldOutput()
    #expect(try received() == "one")
  }

  @Test func `a helper thread tells the loop what it has done, in order`() throws {
    let helper = try HelperThread(loop: fixture.loop)
    var results: [Int] = []
    for number in 0..<100 { helper.perform({ number * number }, then: { results.append($0) }) }
    try fixture.loop.turn(until: { results.count == 100 })
    #expect(results == (0..<100).map { $0 * $0 })
  }
}
