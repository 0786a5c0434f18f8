import Foundation
import Shared
import TestSupport

/// One attack against a server of its own, from its start to its end.
final class AttackRun {
  /// How long honest clients may take to begin, and how long the last replies may take to arrive
  /// after the attack.
  private static let timeout = Duration.seconds(30)
  /// How long to wait before the memory is read of a server that need not give it back.
  private static let settlingTime = Duration.milliseconds(200)
  /// How often the server is looked at.
  private static let interval = Duration.milliseconds(100)

  private let attack: Attack
  private let time: Duration
  private let loop: EventLoop
  private let echo: EchoControl
  private let log: FileHandle
  private let context: HonestContext
  private let population: HonestPopulation?
  private let probe: (any Probe)?
  private var result: AttackResult
  private var server: ServerUnderTest { context.server }

  init(_ attack: Attack, _ options: AttackOptions, loop: EventLoop, echo: EchoControl) throws {
    self.attack = attack
    self.loop = loop
    self.echo = echo
    time = options.time
    log = try Self.openLog()
    let server = try ServerUnderTest(options.server, attack.serverArguments, log: log)
    context = HonestContext(loop: loop, server: server)
    population = attack.hasPopulation ? HonestPopulation(context: context) : nil
    probe = attack.makeProbe?(context)
    result = AttackResult(attack: attack, metrics: context.metrics)
  }

  func run() throws -> AttackResult {
    let isReady = try turn(atMost: Self.timeout) { self.isReady }
    guard isReady else { throw SuiteError("honest clients could not begin before \(attack.name)") }
    result.descriptorsBefore = server.descriptors
    try carryOut()
    try finishMeasuring()
    try waitForQuiet()
    try stop()
    result.probe = probe?.summary
    result.probeFailures = probe?.failures ?? []
    return result
  }

  private var isReady: Bool { population?.isReady ?? true && probe?.isReady ?? true }

  private func carryOut() throws {
    let (begin, logBegin, processorBegin) = (loop.now, try log.offset(), server.processorTime)
    context.metrics.isMeasuring = true
    echo.begin()
    probe?.attackDidBegin()
    let attacker = try attack.phases.isEmpty ? nil : AttackerProcess(attack, server.port, time)
    let longest = time * attack.phases.count + Self.timeout
    _ = try turn(atMost: longest) { [self] in
      sample()
      if result.memory > Thresholds.fatalMemory { result.wasCutShort = true }
      let isOver = attacker.map { !$0.isRunning } ?? probe?.isDone ?? true
      return isOver || result.wasCutShort || !server.isRunning
    }
    result.attacker = attacker?.stop()
    result.time = loop.now - begin
    result.logBytes = Int(try log.offset() - logBegin)
    result.processorTime = server.processorTime - processorBegin
    probe?.attackDidEnd()
  }

  private func sample() {
    result.maxDescriptors = max(result.maxDescriptors, server.descriptors)
    result.memory = max(result.memory, server.memory * 1_024)
  }

  /// Waits for the replies that are still in transit.
  private func finishMeasuring() throws {
    context.metrics.isMeasuring = false
    population?.stop()
    population?.countMatches()
    _ = try turn(atMost: Self.timeout) { [self] in
      guard server.isRunning, let population else { return true }
      return !population.isWaiting && population.otherMatches != nil
    }
    population?.giveUp()
    echo.end()
    result.echo = echo.latencies
    result.matches = population?.otherMatches
  }

  private func waitForQuiet() throws {
    result.memory = max(result.memory, server.peakMemory * 1_024)
    let givesBack = attack.thresholds.givesMemoryBack
    _ = try turn(atMost: givesBack ? Thresholds.quietTime : Self.settlingTime) { [self] in
      givesBack && server.memory * 1_024 <= Thresholds.quietMemory
    }
    result.quietMemory = server.memory * 1_024
  }

  private func stop() throws {
    population?.quit()
    _ = try turn(atMost: .milliseconds(100)) { false }
    guard server.isRunning else { return result.exitCode = server.stop() }
    server.send(SIGINT)
    _ = try turn(atMost: .seconds(5)) { !self.server.isRunning }
    result.exitCode = server.stop(with: SIGINT)
  }

  /// Turns the loop until the condition holds or the time is up. Returns whether it holds.
  private func turn(atMost time: Duration, until holds: () -> Bool) throws -> Bool {
    let end = loop.now + time
    var next = loop.now
    while loop.now < end {
      if loop.now >= next {
        if holds() { return true }
        next = loop.now + Self.interval
      }
      try loop.turn(wait: min(next, end) - loop.now)
    }
    return holds()
  }

  /// A file without a name, which is deleted when it is closed.
  private static func openLog() throws -> FileHandle {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appendingPathComponent("attack-\(UUID().uuidString).log")
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw SuiteError("there is no room for a log")
    }
    defer { try? FileManager.default.removeItem(at: file) }
    return try FileHandle(forWritingTo: file)
  }
}

/// A reason why the attacks cannot be carried out.
struct SuiteError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
