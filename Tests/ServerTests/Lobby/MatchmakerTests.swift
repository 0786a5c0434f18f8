import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct MatchmakerTests {
  @Test(arguments: 0..<12 as Range<UInt64>)
  func `the pairs and their times are those of a plain rule`(seed: UInt64) throws {
    let fixture = LobbyFixture()
    var random = SeededGenerator(seed: seed)
    let names = ["a", "b", "c", "d", "e", "f"]
    let people = try names.map { try SessionFixture($0, in: fixture).session }
    var rule = PairingRule()
    for _ in 0..<600 {
      let session = people[Int.random(in: people.indices, using: &random)]
      let name = session.name.text
      switch session.place {
      case .lobby:
        let isNamed = Int.random(in: 0..<4, using: &random) == 0
        let opponent = isNamed ? names.randomElement(using: &random) : nil
        do throws(CommandError) {
          try fixture.lobby.start(by: session, opponent: opponent, game: nil)
          rule.start(name, for: opponent)
        } catch {
          #expect(opponent == name || error.code == .inMatch)
        }
      case .waiting(let request):
        guard Int.random(in: 0..<5, using: &random) == 0 else { break }
        fixture.lobby.cancel(request, of: session)
        rule.cancel(name)
      case .playing:
        session.place = .lobby
        guard Bool.random(using: &random) else { break }
        session.earlyLeaves.add(at: fixture.clock.now)
        rule.leaveEarly(name)
      case .watching: Issue.record("nobody watches")
      }
      // First timers that are due now, then time in small steps. The rule is checked after each.
      let most = [30, 3_000, 30_000].randomElement(using: &random) ?? 0
      let end = fixture.clock.now + .milliseconds(Int.random(in: 0...most, using: &random))
      fixture.clock.advance(by: .zero)
      rule.settle()
      while let next = [fixture.clock.next, rule.next].compactMap(\.self).min(), next <= end {
        fixture.clock.advance(by: next - fixture.clock.now)
        rule.advance(to: next)
      }
      fixture.clock.advance(by: end - fixture.clock.now)
      rule.advance(to: end)
      try #require(fixture.pairs.map { "\($0.x ?? "") \($0.o ?? "")" } == rule.pairs)
      try #require(people.filter { $0.request != nil }.map(\.name.text) == rule.waiting)
    }
    #expect(rule.pairs.count > 100)
    #expect(rule.latePairs > 3)
    for person in people { fixture.lobby.end(person) }
    fixture.clock.advance(by: AddressRegistry.interval)
    #expect(fixture.clock.next == nil)
  }

  @Test func `many players who are held back at once are paired in their turn`() throws {
    let fixture = LobbyFixture()
    let people = try (0..<500).map { try SessionFixture("p\($0)", in: fixture).session }
    for (index, session) in people.enumerated() {
      for _ in 0...(1 + index % 7) { session.earlyLeaves.add(at: .zero) }
      try fixture.lobby.start(by: session, opponent: nil, game: nil)
    }
    #expect(fixture.pairs.isEmpty)
    fixture.clock.advance(by: .seconds(1))
    // Of those whose time is over, the longest wait comes first.
    #expect(fixture.pairs.first.map { [$0.x, $0.o] } == ["p0", "p7"])
    #expect(fixture.pairs.count == 36)
    fixture.clock.advance(by: .seconds(6))
    #expect(fixture.pairs.count == 250)
    #expect(fixture.clock.next == nil)
  }
}

/// The plain rule of pairing: after each event, and at each time at which its result may
/// change, all waiting players are compared with all others.
private struct PairingRule {
  private struct Request {
    let name: String
    let opponent: String?
    let heldUntil: Duration
  }

  private(set) var pairs: [String] = []
  /// The pairs of players who had both waited.
  private(set) var latePairs = 0
  private var now = Duration.zero
  /// The longest wait first.
  private var requests: [Request] = []
  private var bars: [Set<String>: Duration] = [:]
  private var leaves: [String: (count: Int, last: Duration)] = [:]

  var waiting: [String] { requests.map(\.name).sorted() }

  /// The next time at which time alone changes the result.
  var next: Duration? {
    (requests.map(\.heldUntil) + bars.values).filter { $0 > now }.min()
  }

  mutating func start(_ name: String, for opponent: String?) {
    let hold = Duration.seconds(min(60, max(0, earlyLeaves(of: name) - 1)))
    requests.append(Request(name: name, opponent: opponent, heldUntil: now + hold))
    settle(isNew: true)
  }

  mutating func cancel(_ name: String) {
    requests.removeAll { $0.name == name }
  }

  mutating func leaveEarly(_ name: String) {
    leaves[name] = (earlyLeaves(of: name) + 1, now)
  }

  private func earlyLeaves(of name: String) -> Int {
    guard let (count, last) = leaves[name] else { return 0 }
    return max(0, count - Int((now - last) / .seconds(60)))
  }

  mutating func advance(to time: Duration) {
    now = time
    settle()
  }

  mutating func settle(isNew: Bool = false) {
    while let (first, second) = nextPair {
      pairs.append("\(first.name) \(second.name)")
      if !isNew { latePairs += 1 }
      requests.removeAll { [first.name, second.name].contains($0.name) }
      guard first.opponent == nil, second.opponent == nil else { continue }
      bars[[first.name, second.name]] = now + .seconds(60)
    }
  }

  private var nextPair: (Request, Request)? {
    for (index, first) in requests.enumerated() {
      for second in requests[(index + 1)...] where areToPlay(first, second) {
        return (first, second)
      }
    }
    return nil
  }

  private func areToPlay(_ one: Request, _ other: Request) -> Bool {
    for (mine, others) in [(one, other), (other, one)] {
      // Each must want the other. A player who is held back must be named.
      guard mine.opponent == nil || mine.opponent == others.name else { return false }
      guard mine.heldUntil <= now || others.opponent == mine.name else { return false }
    }
    guard one.opponent == nil, other.opponent == nil else { return true }
    // Recent partners are not paired again by chance while others wait.
    let isBarred = (bars[[one.name, other.name]] ?? .zero) > now
    return !isBarred || requests.count { $0.opponent == nil } == 2
  }
}
