import Foundation

@testable import Server
@testable import Shared

/// A node of the cluster: a process that dies, starts again, is frozen, and may not reach the
/// engine.
final class SimulatedNode {
  let name: String
  /// Where clients reach it.
  let address: String
  private(set) var process: NodeProcess?
  /// Since when it runs no turns; `nil` while it runs.
  private(set) var frozenSince: Duration?
  /// Since when it does not reach the engine; `nil` while it does.
  private(set) var cutSince: Duration?
  /// When each of its lives has ended, or could not be seen to go on any more.
  private(set) var ends: [Life: Duration] = [:]
  /// Called with the lines of its log; `nil` if it has none.
  var onLog: ((String) -> Void)?
  /// Called when it believes that another process has its name.
  var onReplaced: () -> Void = {}
  private let time: SimulatedTime
  private let engine: SimulatedRedis
  private var life: Life?
  private var willExit = false

  init(_ name: String, time: SimulatedTime, engine: SimulatedRedis) {
    self.name = name
    self.time = time
    self.engine = engine
    address = "\(name).example:1"
  }

  var isFrozen: Bool { frozenSince != nil }
  /// Whether clients get answers.
  var serves: Bool { process?.isListening == true && !isFrozen }
  var isWell: Bool { serves && cutSince == nil && process?.cluster.node.state.isAlive == true }
  /// When it wants to run next.
  var nextTurn: Duration? { isFrozen ? nil : process?.nextTurn }

  /// Since when a life can have shown nobody that it goes on; `nil` if it does.
  func end(of life: Life) -> Duration? {
    ends[life] ?? [frozenSince, cutSince].compactMap(\.self).min()
  }

  func start() throws {
    guard process == nil else { return }
    willExit = false
    process = try NodeProcess(
      name, address: address, time: time, log: log,
      isCut: { [unowned self] in cutSince != nil }, reach: { [engine] in engine.accept($0, at: $1) }
    )
    process?.onExit = { [unowned self] in willExit = true }
    process?.onReplaced = { [unowned self] in onReplaced() }
    noteLife()
  }

  private var log: Log {
    guard let onLog else { return .silent }
    return Log(Log.Options(), now: { .distantPast }) { onLog(String(decoding: $0, as: UTF8.self)) }
  }

  /// Runs its turns.
  func run() {
    process?.run()
    noteLife()
    if willExit { kill() }
  }

  private func noteLife() {
    let now = process?.cluster.node.life
    guard now != life else { return }
    if let life { ends[life] = [frozenSince, cutSince, time.now].compactMap(\.self).min() }
    life = now
  }

  /// Ends at once. What it has sent by now still arrives.
  func kill() {
    let wires = process?.end() ?? []
    process = nil
    for wire in wires { wire.collect() }
    frozenSince = nil
    noteLife()
  }

  /// Stops as after SIGTERM.
  func stop() { process?.stop() }

  func freeze() { if process != nil, frozenSince == nil { frozenSince = time.now } }

  func wake() {
    guard let frozenSince else { return }
    // A life that ends in the first turn has ended when the node was frozen.
    process?.wake()
    process?.run()
    let now = process?.cluster.node.life
    if let life, now != life { ends[life] = frozenSince }
    life = now
    self.frozenSince = nil
  }

  func cut() { if cutSince == nil { cutSince = time.now } }
  func join() { cutSince = nil }
}
