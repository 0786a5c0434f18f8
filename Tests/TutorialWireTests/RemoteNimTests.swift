import RIBs
import Shared
import TestSupport
import Testing

@testable import Tutorial4

/// What the parent and the view of a Nim can rely on, wherever its rules are. The exercises of
/// chapters 3 and 4.
@Suite struct NimContractTests {
  @Test(arguments: NimFixture.Kind.allCases)
  func `a game begins by showing the heap`(kind: NimFixture.Kind) {
    #expect(NimFixture(kind).calls == [.show(Heap())])
  }

  @Test(arguments: NimFixture.Kind.allCases)
  func `a refused move changes nothing`(kind: NimFixture.Kind) {
    let fixture = NimFixture(kind)
    fixture.take(4)
    fixture.take(3)
    #expect(
      fixture.calls == [
        .show(Heap()), .refuse(.wrongCount), .show(Heap(matches: 9, turn: .o)),
      ])
  }

  @Test(arguments: NimFixture.Kind.allCases)
  func `a win is the last heap, then the announcement, then gameDidEnd`(kind: NimFixture.Kind) {
    let fixture = NimFixture(kind)
    for _ in 1...4 { fixture.take(3) }
    #expect(
      fixture.calls.suffix(3) == [
        .show(Heap(matches: 0, turn: .x)), .announce(.won(.o)), .gameDidEnd(.won(.o)),
      ])
    #expect(fixture.isDetached)
  }
}

/// The programs of both ends, over connections in memory that split the bytes at random.
@Suite struct NimProgramTests {
  private let network = MemoryNetwork(seed: 4)

  @Test func `a game is played from one program to the other`() {
    let server = NimServer()
    let (near, far) = network.connect()
    server.accept(far)
    var lines: [String] = []
    var hasEnded = false
    let client = NimClient(write: { lines.append($0) }, didEnd: { hasEnded = true })
    client.play(over: near)
    network.run()
    #expect(lines == ["||||||||||||", "X: take 1, 2 or 3?"])
    for _ in 1...4 {
      #expect(!hasEnded)
      client.console.didType("3")
      network.run()
    }
    #expect(lines.last == "O takes the last match and wins.")
    #expect(hasEnded)
    #expect(server.hostCount == 0)
  }

  @Test func `two connections have a game each`() {
    let server = NimServer()
    let players = (1...2).map { _ in
      let (near, far) = network.connect()
      server.accept(far)
      return LineClient(near, on: network)
    }
    #expect(players[0].say("begin") == ["heap 12 X"])
    #expect(players[0].say("take 1") == ["heap 11 O"])
    #expect(players[1].say("begin") == ["heap 12 X"])
    #expect(server.hostCount == 2)
    players[0].end()
    #expect(server.hostCount == 1)
    #expect(players[1].say("take 2") == ["heap 10 O"])
  }

  @Test func `two terminals play one game, each in turn`() {
    let server = NimServer(isForPairs: true)
    var lines: [[String]] = [[], []]
    var ended = [false, false]
    let clients = [0, 1].map { index in
      NimClient(write: { lines[index].append($0) }, didEnd: { ended[index] = true })
    }
    func join(_ client: NimClient) {
      let (near, far) = network.connect()
      server.accept(far)
      client.play(over: near)
      network.run()
    }
    join(clients[0])
    #expect(lines[0] == ["You play X.", "Waiting for the other player."])
    join(clients[1])
    let begin = ["||||||||||||", "X: take 1, 2 or 3?"]
    #expect(lines[0].suffix(3) == ["The other player has come."] + begin)
    #expect(lines[1] == ["You play O."] + begin)
    // It is X's turn.
    clients[1].console.didType("1")
    network.run()
    #expect(lines[1].suffix(2) == begin)
    clients[0].console.didType("4")
    network.run()
    #expect(lines[0].last == "You can take 1, 2 or 3 matches that are there.")
    #expect(lines[1].suffix(2) == begin)
    for turn in 0..<4 {
      clients[turn % 2].console.didType("3")
      network.run()
    }
    #expect(lines.map(\.last) == Array(repeating: "O takes the last match and wins.", count: 2))
    #expect(ended == [true, true])
    #expect(server.hostCount == 0)
  }

  @Test func `a player whose opponent goes is told so, and the next one gets a new table`() {
    let server = NimServer(isForPairs: true)
    func join() -> LineClient {
      let (near, far) = network.connect()
      server.accept(far)
      return LineClient(near, on: network)
    }
    let (ann, ben) = (join(), join())
    #expect(
      ann.say("begin") == [
        "say You play X.", "say The other player has come.",
        "say Waiting for the other player.",
      ])
    #expect(ben.say("begin") == ["say You play O.", "heap 12 X"])
    ann.say("take 2")
    #expect(ben.takeLines() == ["heap 10 O"])
    ann.end()
    #expect(ben.takeLines() == ["say The other player has gone."])
    #expect(ben.isClosedByServer)
    #expect(server.hostCount == 0)
    let eve = join()
    #expect(eve.say("begin") == ["say You play X.", "say Waiting for the other player."])
    eve.end()
    #expect(server.hostCount == 0)
    #expect(join().say("begin").first == "say You play X.")
  }

  @Test func `a line that is no command is ignored, and one without an end closes`() {
    let server = NimServer()
    let (near, far) = network.connect()
    server.accept(far)
    let player = LineClient(near, on: network)
    #expect(player.say("take") == [])
    #expect(player.say("begin") == ["heap 12 X"])
    player.say(String(repeating: "x", count: 200))
    #expect(player.isClosedByServer)
    #expect(server.hostCount == 0)
  }

  @Test func `a game is played over TCP`() throws {
    let loop = try EventLoop()
    let server = NimServer()
    let port = try server.listen(on: loop, port: 0)
    var lines: [String] = []
    var hasEnded = false
    let client = NimClient(write: { lines.append($0) }, didEnd: { hasEnded = true })
    let connector = Connector(loop: loop, host: "127.0.0.1", port: port) { result in
      if case .success(let connection) = result { client.play(over: connection) }
    }
    // Each heap is two lines.
    for count in [2, 4, 6, 8] {
      for _ in 1...50 where lines.count < count { try loop.turn(wait: .seconds(1)) }
      client.console.didType("3")
    }
    for _ in 1...50 where !hasEnded { try loop.turn(wait: .seconds(1)) }
    #expect(lines.last == "O takes the last match and wins.")
    #expect(hasEnded)
    withExtendedLifetime(connector) {}
  }
}
