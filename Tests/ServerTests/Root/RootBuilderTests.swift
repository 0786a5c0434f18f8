import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct RootBuilderTests {
  @Test(arguments: [true, false])
  func `the whole server is freed, with or without players`(haveGone: Bool) {
    weak var freed: (any RootRouting)?
    weak var freedChild: (any Routing)?
    weak var freedConnection: MemoryConnection?
    let network = MemoryNetwork(seed: 1)
    let clock = ManualTimers()
    do {
      let (root, control, _) = RootBuilder(
        dependency: TestDependency(
          games: GameRegistry([.ticTacToe]), random: RandomSource(SeededGenerator(seed: 1)),
          timers: clock)
      ).build()
      control.launch()
      let (near, far) = network.connect()
      control.accept(far)
      LineClient(near, on: network).say("login\nstart bot")
      freedConnection = far
      freed = root
      freedChild = root.children.first
      #expect(root.children.count == 1)
      if haveGone {
        near.cut()
        network.run()
        clock.advance(by: .seconds(60))
        #expect(root.children.isEmpty)
      }
    }
    #expect(freed == nil)
    #expect(freedChild == nil)
    // A connection that is still open belongs to its network.
    #expect(haveGone == (freedConnection == nil))
  }

  @Test func `all connections share one lobby`() throws {
    let server = TestServer()
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    #expect(try ann.ask("list") == bob.ask("list"))
    #expect(server.root.interactable.isActive)
  }

  @Test func `hundreds of matches in any order leave nothing behind`() throws {
    let server = TestServer()
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    for round in 0..<250 {
      for line in ["start", "start"] {
        ann.sendOnly(line)
        bob.sendOnly(line)
      }
      (round.isMultiple(of: 2) ? ann : bob).sendOnly("leave")
      ann.sendOnly("cancel")
      server.network.run()
      ann.say("leave")
      bob.say("leave")
      ann.say("cancel")
      bob.say("cancel")
    }
    _ = (ann.takeLines(), bob.takeLines())
    #expect(server.root.children.isEmpty)
    server.clock.advance(by: .seconds(2))
    #expect(server.leaks == [])
    #expect(try ann.ask("list matches") == [["type": "matches", "items": []]])
  }
}
