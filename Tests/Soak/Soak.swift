import Foundation
import Shared
import TestSupport

/// Plays many matches for a long time between players that lose their connections, beside abusive
/// clients, and checks the server all along.
final class Soak {
  private static let limits = [
    "--max-connections", "0", "--max-per-address", "0", "--per-second", "200", "--burst", "400",
    "--resume-within", "5s",
  ]

  private let options: SoakOptions
  private let loop: EventLoop
  private let server: ServerUnderTest
  private var random: RandomSource
  private var players: [ResumingPlayer] = []
  private var spectators: [Spectator] = []
  private var abusiveClients: [AbusiveClient] = []
  private var idleDescriptors = 0
  private var samples: [(descriptors: Int, memory: Int)] = []
  private var faults: [String] = []

  init(_ options: SoakOptions) throws {
    self.options = options
    loop = try EventLoop()
    server = try ServerUnderTest(options.server, Self.limits)
    random = RandomSource(SeededGenerator(seed: options.seed))
  }

  /// Returns whether every check passed.
  func run() throws -> Bool {
    // The server may still open descriptors when it says that it listens.
    try turn(for: .seconds(1))
    idleDescriptors = server.descriptors
    begin()
    let end = loop.now + options.time
    while loop.now < end {
      let second = loop.now + .seconds(1)
      while loop.now < second { try loop.turn(wait: second - loop.now) }
      sample()
      disturb()
      guard server.isRunning else { break }
    }
    try finish(after: options.time)
    report()
    return faults.isEmpty
  }

  private func begin() {
    for number in 0..<options.matches {
      let names = ["ann \(number)", "bob \(number)"]
      for (name, other) in [(names[0], names[1]), (names[1], names[0])] {
        let player = ResumingPlayer(
          name, against: other, games: 5, loop: loop, port: server.port, seed: random.next())
        player.maxThinkingTime = .milliseconds(500)
        player.retryDelay = .milliseconds(300)
        player.repeatsMatches = true
        players.append(player)
      }
    }
    for number in 0..<max(AbusiveClient.Abuse.allCases.count, options.matches / 25) {
      let abuse = AbusiveClient.Abuse.allCases[number % AbusiveClient.Abuse.allCases.count]
      abusiveClients.append(AbusiveClient(abuse, loop: loop, port: server.port, random: random))
    }
    for _ in 0..<max(1, options.matches / 10) {
      spectators.append(Spectator(loop: loop, port: server.port, random: random))
    }
  }

  /// Each second, of 100 players 5 lose their connection, 1 takes over its own session, and 1 stops
  /// reading for 2 s.
  private func disturb() {
    for player in players {
      switch Int.random(in: 0..<200, using: &random) {
      case 0..<9:
        let cut = WireClient.Cut.allCases.randomElement(using: &random) ?? .reset
        let time = Duration.milliseconds(Int.random(in: 1...1_000, using: &random))
        player.lose(cut, for: time, losingState: Bool.random(using: &random))
      // Longer than the server keeps the session.
      case 9: player.lose(.end, for: .seconds(7), losingState: false)
      case 10..<12: player.takeOver()
      case 12..<14:
        player.isReading = false
        loop.schedule(after: .seconds(2)) { [weak player] in player?.isReading = true }
      default: break
      }
    }
  }

  private func sample() {
    samples.append((server.descriptors, server.memory))
    let (descriptors, memory) = (server.descriptors, server.memory)
    // A tenth of the connections begin or end each second, and may exist on one side only.
    let most = idleDescriptors + loop.connectionCount * 11 / 10 + 100
    if descriptors > most {
      faults.append("\(descriptors) descriptors for \(loop.connectionCount) connections.")
    }
    guard samples.count.isMultiple(of: 30) else { return }
    let moves = players.map(\.counts.moves).reduce(0, +)
    print("\(samples.count) s: \(moves) moves, \(descriptors) descriptors, \(memory) kB")
    fflush(nil)
  }

  /// Ends all clients. After that the server must hold nothing of theirs.
  private func finish(after time: Duration) throws {
    for player in players { player.quit() }
    for spectator in spectators { spectator.quit() }
    for client in abusiveClients { client.stop() }
    // Longer than the server keeps places, and longer than it waits for a bye to be read.
    try turn(for: .seconds(18))
    var lines: [Event] = []
    let last = WireClient(loop: loop, port: server.port)
    last.onEvent = { event in
      if let event { lines.append(event) }
    }
    try turn(for: .seconds(1))
    for command in [.login(name: "last", password: nil), .list(.players), .list(.matches)]
      as [Command]
    { last.send(command) }
    try turn(for: .seconds(1))
    guard case .players(let listed) = lines.dropLast().last, case .matches(let matches) = lines.last
    else { return faults.append("The server does not answer: \(lines).") }
    if listed.items.count != 1 { faults.append("Players are left: \(listed).") }
    if !matches.items.isEmpty { faults.append("Matches are left: \(matches).") }
    last.cut(.reset)
    try turn(for: .seconds(1))
    if server.descriptors != idleDescriptors {
      faults.append("\(server.descriptors) descriptors are left of \(idleDescriptors).")
    }
    for player in players { faults += player.faults }
    for spectator in spectators { faults += spectator.faults }
    checkMemory()
    let code = server.stop()
    if code != 0 { faults.append("The server ends with \(code).") }
  }

  private func turn(for time: Duration) throws {
    let end = loop.now + time
    while loop.now < end { try loop.turn(wait: end - loop.now) }
  }

  /// Memory is flat if it grows by less than a tenth, or 4 MB, from the second fifth of the time to
  /// the last.
  private func checkMemory() {
    let fifth = samples.count / 5
    guard fifth > 0 else { return }
    let early = median(samples[fifth..<2 * fifth].map(\.memory))
    let late = median(samples[(4 * fifth)...].map(\.memory))
    print("memory: \(early) kB early, \(late) kB late")
    guard late > early + max(early / 10, 4_096) else { return }
    faults.append("Memory grows: \(early), \(late) kB.")
  }

  private func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }

  private func report() {
    func sum(_ count: KeyPath<ResumingPlayer.Counts, Int>) -> Int {
      players.map { $0.counts[keyPath: count] }.reduce(0, +)
    }
    let byes: [String: Int] = abusiveClients.reduce(into: [:]) {
      $0.merge($1.byes, uniquingKeysWith: +)
    }
    let closed = byes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    // `Tests/record soak` writes the table into docs/reliability-appendix.md.
    print(
      """
      | what | count |
      |---|---:|
      | pairs, and how long they play | \(options.matches), \(options.time) |
      | matches | \(sum(\.matches) / 2) |
      | moves; those that were stale | \(sum(\.moves)); \(sum(\.stale)) |
      | connections | \(sum(\.connections)) |
      | resumes; takeovers; snapshots | \(sum(\.resumes)); \(sum(\.takeovers)); \(sum(\.snapshots)) |
      | matches that spectators have watched | \(spectators.map(\.watched).reduce(0, +)) |
      | hostile clients that were closed, by reason | \(closed.joined(separator: ", ")) |
      | descriptors at most | \(samples.map(\.descriptors).max() ?? 0) |
      | memory at most | \(samples.map(\.memory).max() ?? 0) kB |
      | faults | \(faults.count) |
      """)
    for fault in faults.prefix(20) { print(fault) }
  }
}
