import Foundation
import TestSupport

@testable import Server
@testable import Shared

/// A server with a data folder on a simulated disk, and clients that try everything. The server
/// dies again and again; after each start, it must not contradict what anybody was told. One seed
/// determines every choice.
final class StoreWorld {
  enum Crash: CaseIterable {
    case process, power, failure
  }

  let random: SeededRandom
  let durability: Durability
  let disk: SimulatedDisk
  private(set) var server: SimulatedServer
  private(set) var clients: [StoreClient] = []
  private(set) var failure: String?
  private(set) var counts: [String: Int] = [:]
  /// The first line of each match that anybody was told of.
  private var firstLines: [String: String] = [:]
  private let folder: String
  private var starts = 0

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    durability =
      random.pick(weighted: [(3, Durability.process), (3, .power), (1, .none)]) ?? .process
    disk = SimulatedDisk(seed: random.seed())
    folder = "\(Self.fastFolder)/tictactoe-simulation-\(UUID().uuidString)"
    server = try SimulatedServer(
      folder, disk: disk, durability: durability, seed: random.seed(), start: 0)
    clients = (1...random.int(2...5)).map { StoreClient("p\($0)", in: self) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A folder in memory, where there is one.
  private static let fastFolder =
    FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

  /// Runs the world. Returns what went wrong; `nil` is a pass.
  func run() throws -> String? {
    for _ in 0..<random.int(2...6) {
      try play(turns: random.int(20...150))
      guard failure == nil else { break }
      try crash()
      guard failure == nil else { break }
    }
    if failure == nil { try finish() }
    return failure
  }

  private func play(turns: Int) throws {
    if random.happens(percent: 60) { disk.crash(within: random.int(0...turns)) }
    for _ in 0..<turns where failure == nil && !server.hasEnded {
      if random.happens(percent: 2) { disk.setFull(random.happens(percent: 50)) }
      if random.happens(percent: 1), random.happens(percent: 30) { disk.fail() }
      if random.happens(percent: 3) { try disturbArchive() }
      try turn()
    }
  }

  /// Another program locks the archive, or files of the data are moved away, or that ends.
  private func disturbArchive() throws {
    if server.isDisturbed {
      server.endDisturbance()
    } else if random.happens(percent: 50) {
      try server.lockArchive()
      count("locks")
    } else {
      server.moveAway(random.pick(["archive.db", "archive.db-wal", "lock"]) ?? "lock")
      count("moved files")
    }
  }

  /// One turn of the loop: some lines of clients, and what helper threads and timers have to say.
  private func turn() throws {
    for _ in 0..<random.int(1...3) { random.pick(clients)?.act() }
    server.network.run()
    if random.happens(percent: 40) { server.journalWorker.runOne() }
    if random.happens(percent: 40) { server.otherWorker.runOne() }
    server.clock.advance(by: .milliseconds(random.int(0...120)))
    server.network.run()
    server.endTurn()
    try deliver()
  }

  /// Gives clients the lines that may leave.
  private func deliver() throws {
    guard !server.hasEnded else { return }
    for client in clients { try check { () throws(ViolationError) in try client.receive() } }
  }

  /// The process ends at once, or with the power of the machine.
  private func crash() throws {
    // A failed disk must not be trusted with anything that was not synchronized.
    let kind: Crash =
      server.hasFailed ? .failure : random.happens(percent: 50) ? .process : .power
    count("\(kind)")
    if disk.isDead { count("in a call") }
    let losesPower = kind == .power
    for client in clients { client.connectionDidEnd() }
    server.stop()
    if losesPower {
      disk.losePower()
      try? "1 another-boot\n".write(toFile: "\(folder)/lock", atomically: false, encoding: .utf8)
    }
    disk.setFull(false)
    try start()
    let mayLose = losesPower && durability != .power
    if mayLose { count("power without its durability") }
    try check { () throws(ViolationError) in
      try server.check()
      for client in clients { try client.check(after: server, mayLose: mayLose || isUnsafe) }
    }
  }

  /// With `none`, lines leave before they are written.
  private var isUnsafe: Bool { durability == .none }

  private func start() throws {
    starts += 1
    server = try SimulatedServer(
      folder, disk: disk, durability: durability, seed: random.seed(), start: starts)
  }

  /// Ends all matches, and checks what is left of them.
  private func finish() throws {
    server.endDisturbance()
    for client in clients { client.connectionDidEnd() }
    server.network.run()
    for _ in 0..<40 {
      server.endTurn()
      server.journalWorker.runAll()
      server.otherWorker.runAll()
      server.clock.advance(by: .seconds(5))
      server.network.run()
    }
    try check { () throws(ViolationError) in
      try require(server.control.matchCount == 0, "a match is left")
      try server.check()
      for client in clients {
        try client.check(after: server, mayLose: false)
      }
    }
    for (name, number) in server.archivedCounts { count(name, number) }
    server.stop()
  }

  /// A match's id is never used again.
  func note(match: String, firstLine: String) throws(ViolationError) {
    let known = firstLines.updateValue(firstLine, forKey: match)
    try require(known == nil || known == firstLine, "match \(match) began twice: \(firstLine)")
  }

  private func check(_ body: () throws(ViolationError) -> Void) throws {
    guard failure == nil else { return }
    do throws(ViolationError) {
      try body()
    } catch {
      failure = error.text
    }
  }

  func count(_ what: String, _ number: Int = 1) { counts[what, default: 0] += number }
}
