import Shared

/// Watches how full the engine is. From 85 % on no game begins, so that the games that run can end
/// in what is left.
final class EngineMemory {
  static let period: Duration = .seconds(5)
  static let maxShare = 0.85

  /// Called when there is no more room for new games, and when there is again.
  var onChange: (_ hasRoom: Bool) -> Void = { _ in }
  private let engine: any Engine
  private let timers: any Timers
  private var last: Duration?
  private(set) var hasRoom = true

  init(engine: any Engine, timers: any Timers) {
    self.engine = engine
    self.timers = timers
  }

  /// Called after each renewal.
  func look() {
    guard last.map({ timers.now - $0 >= Self.period }) ?? true else { return }
    last = timers.now
    engine.ask("INFO", "memory") { [weak self] reply in
      guard let self, let text = reply?.text else { return }
      let room = Self.hasRoom(in: text)
      guard room != hasRoom else { return }
      hasRoom = room
      onChange(room)
    }
  }

  /// Without a limit, `maxmemory` is 0.
  static func hasRoom(in text: String) -> Bool {
    func field(_ name: String) -> Double? {
      text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(name):") }
        .flatMap { Double($0.dropFirst(name.count + 1)) }
    }
    guard let used = field("used_memory"), let limit = field("maxmemory"), limit > 0 else {
      return true
    }
    return used < limit * maxShare
  }
}
