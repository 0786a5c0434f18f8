#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import Testing

@testable import Shared

@Suite struct TCPConnectionTests {
  @Test(arguments: PollerKind.allCases, ["127.0.0.1", "::1"])
  func `an echo returns the bytes of the peer`(kind: PollerKind, address: String) throws {
    let fixture = try ListenerFixture(kind, on: address)
    let (connection, peer, recorder) = try fixture.connect()
    recorder.onReceive = { $0.send($1) }
    #expect(
      connection.peerAddress.description.hasPrefix(address.contains(":") ? "[::1]:" : "127.0.0.1:"))
    for text in ["hello", "world"] {
      try peer.send(text)
      var back = ""
      try fixture.loop.turn {
        back += try peer.receiveText() ?? ""
        return back == text
      }
    }
    #expect(recorder.received == ["hello", "world"])
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `the output of a turn is sent together at its end`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect()
    var early: String?
    recorder.onReceive = { connection, _ in
      for part in ["one ", "two ", "three"] { connection.send(part) }
      early = try? peer.receiveText()
    }
    try peer.send("go")
    try fixture.loop.turn { !recorder.received.isEmpty }
    #expect(early == nil)
    #expect(connection.unsent == 0)
    #expect(try peer.receiveText() == "one two three")
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `in a long turn the first replies do not wait for the last`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let guests = try (0...EventLoop.eventsPerFlush).map { _ in try fixture.connect() }
    var handled: [Int] = []
    var early: String?
    for (index, guest) in guests.enumerated() {
      guest.2.onReceive = { connection, _ in
        connection.send("answer")
        handled.append(index)
        guard handled.count == guests.count else { return }
        early = try? guests[handled[0]].1.receiveText()
      }
    }
    for guest in guests { try guest.1.send("go") }
    try fixture.loop.turn(wait: .zero)
    #expect(handled.count == guests.count)
    #expect(early == "answer")
    for guest in guests { guest.1.socket.close() }
  }

  @Test(arguments: PollerKind.allCases)
  func `flush sends in the middle of a turn`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let (_, peer, recorder) = try fixture.connect()
    var early: String?
    recorder.onReceive = { connection, _ in
      connection.send("now")
      connection.flush()
      early = try? peer.receiveText()
    }
    try peer.send("go")
    try fixture.loop.turn { !recorder.received.isEmpty }
    #expect(early == "now")
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `output that the peer does not take is sent in order later, and drains once`(
    kind: PollerKind
  ) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect(receiveBuffer: 4096)
    let bytes = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
    connection.send(Array(bytes[..<4_000_000]))
    try fixture.loop.turnAFewTimes()
    #expect(connection.unsent > 0)
    connection.send(Array(bytes[4_000_000...]))
    var got: [UInt8] = []
    try fixture.loop.turn {
      while let more = try peer.receive() { got += more }
      return got.count == bytes.count
    }
    try fixture.loop.turn { connection.unsent == 0 }
    #expect(got == bytes)
    #expect(recorder.drains == 1)
    connection.send("more")
    try fixture.loop.turnAFewTimes()
    #expect(recorder.drains == 1)
    #expect(try peer.receiveText() == "more")
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `a paused connection blocks the peer and loses nothing`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect()
    connection.isReading = false
    try peer.send("later")
    try fixture.loop.turnAFewTimes()
    #expect(recorder.received.isEmpty)
    connection.isReading = true
    try fixture.loop.turn { recorder.text == "later" }
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `a paused connection does not notice the end of input until it reads`(
    kind: PollerKind
  ) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect()
    connection.isReading = false
    try peer.send("last")
    peer.socket.close()
    try fixture.loop.turnAFewTimes()
    #expect(recorder.ends.isEmpty)
    connection.isReading = true
    try fixture.loop.turn { !recorder.ends.isEmpty }
    #expect(recorder.received == ["last"])
    #expect(recorder.ends == [.inputEnded])
  }

  @Test(arguments: PollerKind.allCases)
  func `a paused connection whose peer has gone does not wake the loop`(
    kind: PollerKind
  ) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, _) = try fixture.connect()
    connection.isReading = false
    peer.socket.close()
    try fixture.loop.turnAFewTimes()
    #expect(try fixture.isQuiet())
  }

  @Test(arguments: PollerKind.allCases, [true, false])
  func `a reset is reported as a failure, paused or not`(kind: PollerKind, isReading: Bool) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect()
    connection.isReading = isReading
    try fixture.loop.turnAFewTimes()
    try peer.reset()
    try fixture.loop.turn { !recorder.ends.isEmpty }
    #expect(recorder.ends == [.failed(SystemError(call: "recv", code: ECONNRESET))])
    connection.send("too late")
    connection.close()
    try fixture.loop.turnAFewTimes()
    #expect(recorder.ends.count == 1)
    #expect(connection.unsent == 0)
  }

  @Test(arguments: PollerKind.allCases)
  func `input before a reset is delivered, even if a send notices the reset first`(
    kind: PollerKind
  ) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect()
    try peer.send("resign")
    try peer.reset()
    connection.send("your turn")
    connection.flushAtTurnEnd()
    #expect(recorder.received == ["resign"])
    #expect(recorder.ends.count == 1)
    try fixture.loop.turnAFewTimes()
    #expect(recorder.ends.count == 1)
  }

  @Test(arguments: PollerKind.allCases)
  func `a peer that has ended its output still receives output`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect()
    try peer.send("question")
    peer.socket.shutDownWriting()
    try fixture.loop.turn { recorder.ends == [.inputEnded] }
    #expect(recorder.received == ["question"])
    #expect(try fixture.isQuiet())
    connection.send("answer")
    connection.close()
    try fixture.loop.turnAFewTimes()
    #expect(try peer.receiveText() == "answer")
    #expect(try peer.receiveText() == "")
    #expect(recorder.ends.count == 1)
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `the last line arrives although the peer has sent unread bytes`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect()
    recorder.onReceive = { connection, _ in
      connection.send("bye")
      connection.close()
    }
    try peer.send("go")
    try fixture.loop.turn { !recorder.received.isEmpty }
    for _ in 0..<20 {
      try peer.send("unread")
      try fixture.loop.turn(wait: .milliseconds(1))
    }
    _ = connection
    #expect(try peer.receiveText() == "bye")
    #expect(try peer.receiveText() == "")
    peer.socket.close()
    try fixture.loop.turnAFewTimes()
    #expect(recorder.received == ["go"])
    #expect(recorder.ends.isEmpty)
  }

  @Test(arguments: PollerKind.allCases)
  func `a peer that writes everything before it reads still gets the last line`(kind: PollerKind)
    throws
  {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, _) = try fixture.connect(receiveBuffer: 4096)
    connection.send([UInt8](repeating: 0x61, count: 4_000_000))
    connection.send("bye")
    connection.close()
    var toWrite = 8_000_000
    let chunk = [UInt8](repeating: 0x62, count: 65_536)
    try fixture.loop.turn {
      while toWrite > 0 {
        guard let sent = try? chunk.withUnsafeBytes({ try peer.socket.send($0) }) else { break }
        toWrite -= sent
      }
      return toWrite <= 0
    }
    var got: [UInt8] = []
    try fixture.loop.turn {
      while let more = try peer.receive() {
        if more.isEmpty { return true }
        got += more
      }
      return false
    }
    #expect(got.count == 4_000_003)
    #expect(got.suffix(3) == Array("bye".utf8)[...])
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `a connection whose peer does not close is closed when the time is over`(kind: PollerKind)
    throws
  {
    let fixture = try ListenerFixture(kind, isStopped: true)
    let (connection, peer, _) = try fixture.connect()
    connection.close()
    try fixture.loop.turnAFewTimes()
    for _ in 0..<3 {
      try peer.send("not yet gone")
      try fixture.loop.turn(wait: .milliseconds(2))
    }
    fixture.pass(TCPConnection.lingerTimeout)
    try fixture.loop.turn(wait: .zero)
    #expect(throws: SystemError.self) { for _ in 0..<3 { try peer.send("gone") } }
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `after close the delegate is not called and nothing is queued`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let (connection, peer, recorder) = try fixture.connect()
    connection.close()
    connection.close()
    connection.send("not this")
    try peer.send("not that")
    peer.socket.shutDownWriting()
    try fixture.loop.turnAFewTimes()
    #expect(try peer.receiveText() == "")
    #expect(recorder.received.isEmpty)
    #expect(recorder.ends.isEmpty)
    peer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `delegates close each other within a turn`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let (first, firstPeer, firstWitness) = try fixture.connect()
    let (second, secondPeer, secondWitness) = try fixture.connect()
    firstWitness.onReceive = { [weak second] _, _ in second?.close() }
    secondWitness.onReceive = { [weak first] _, _ in first?.close() }
    try firstPeer.send("a")
    try secondPeer.send("b")
    try fixture.loop.turn { !(firstWitness.received + secondWitness.received).isEmpty }
    try fixture.loop.turnAFewTimes()
    #expect((firstWitness.received + secondWitness.received).count == 1)
    firstPeer.socket.close()
    secondPeer.socket.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `the loop owns a connection until it is closed`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    weak var connection: TCPConnection?
    let recorder = ConnectionRecorder()
    let listener = try TCPListener(loop: loop, address: .loopback()) {
      $0.delegate = recorder
      connection = $0
    }
    recorder.onReceive = { $0.send($1) }
    let peer = try Peer(to: listener.address)
    try peer.send("hello")
    try loop.turn { try peer.receiveText() == "hello" }
    #expect(connection != nil)
    connection?.close()
    peer.socket.close()
    try loop.turn { connection == nil }
    listener.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `a freed loop closes its connections`(kind: PollerKind) throws {
    var loop: EventLoop? = try kind.makeLoop()
    var accepted: TCPConnection?
    let listener = try loop.map {
      try TCPListener(loop: $0, address: .loopback()) { accepted = $0 }
    }
    let peer = try Peer(to: #require(listener).address)
    try loop?.turn { accepted != nil }
    loop = nil
    #expect(try peer.receiveText() == "")
    accepted?.send("nothing")
    accepted?.close()
    listener?.close()
    peer.socket.close()
  }
}
