import Foundation
import Shared
import TestSupport

/// Many matches for a long time between people who lose their connections, beside people who are a
/// pest; and what must hold all along.
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
  private var pests: [Pest] = []
  private var idleDescriptors = 0
  private var samples: [(descriptors: Int, memory: Int)] = []
  private var faults: [String] = []

  init(_ options: SoakOptions) throws {
    self.options = options
    loop = try EventLoop()
    server = try ServerUnderTest(options.server, Self.limits)
    random = RandomSource(SeededGenerator(seed: options.seed))
  }

  /// Answers whether all held.
  func run() throws -> Bool {
    // It may still be opening some as it says that it listens.
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
        player.thinking = .milliseconds(500)
        player.patience = .milliseconds(300)
        player.goesOn = true
        players.append(player)
      }
    }
    for number in 0..<max(4, options.matches / 25) {
      let way = Pest.Way.allCases[number % Pest.Way.allCases.count]
      pests.append(Pest(way, loop: loop, port: server.port, random: random))
    }
    for _ in 0..<max(1, options.matches / 10) {
      spectators.append(Spectator(loop: loop, port: server.port, random: random))
    }
  }

  /// Of a hundred players, five lose their connections each second, one takes its own over, and one
  /// does not read for a while.
  private func disturb() {
    for player in players {
      switch Int.random(in: 0..<200, using: &random) {
      case 0..<9:
        let cut = WireClient.Cut.allCases.randomElement(using: &random) ?? .reset
        let time = Duration.milliseconds(Int.random(in: 1...1_000, using: &random))
        player.lose(cut, for: time, forgetting: Bool.random(using: &random))
      // For longer than the server keeps the place.
      case 9: player.lose(.end, for: .seconds(7), forgetting: false)
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
    // What is just beginning or ending, a tenth each second, can be counted on one side only.
    let most = idleDescriptors + loop.connectionCount * 11 / 10 + 100
    if descriptors > most {
      faults.append("\(descriptors) descriptors for \(loop.connectionCount) connections.")
    }
    guard samples.count.isMultiple(of: 30) else { return }
    let moves = players.map(\.tally.moves).reduce(0, +)
    print("\(samples.count) s: \(moves) moves, \(descriptors) descriptors, \(memory) kB")
    fflush(nil)
  }

  /// All go; then there must be nothing left of them.
  private func finish(after time: Duration) throws {
    for player in players { player.quit() }
    for spectator in spectators { spectator.quit() }
    for pest in pests { pest.stop() }
    // Longer than lost players are waited for, and than goodbyes take to be read.
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
    guard case .players(let people) = lines.dropLast().last, case .matches(let matches) = lines.last
    else { return faults.append("The server does not answer: \(lines).") }
    if people.items.count != 1 { faults.append("People are left: \(people).") }
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

  /// Flat is what grows by less than a tenth, or 4 MB, from the second fifth of the time to the last.
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
    func sum(_ count: KeyPath<ResumingPlayer.Tally, Int>) -> Int {
      players.map { $0.tally[keyPath: count] }.reduce(0, +)
    }
    print(
      """
      matches \(sum(\.matches) / 2), moves \(sum(\.moves)), stale \(sum(\.stale))
      connections \(sum(\.connections)), resumes \(sum(\.resumes)), \
      takeovers \(sum(\.takeovers)), snapshots \(sum(\.snapshots))
      watched \(spectators.map(\.watched).reduce(0, +)), \
      sent away \(pests.reduce(into: [:]) { $0.merge($1.goodbyes, uniquingKeysWith: +) })
      descriptors at most \(samples.map(\.descriptors).max() ?? 0), \
      memory at most \(samples.map(\.memory).max() ?? 0) kB
      \(faults.isEmpty ? "everything held" : "\(faults.count) faults")
      """)
    for fault in faults.prefix(20) { print(fault) }
  }
}
