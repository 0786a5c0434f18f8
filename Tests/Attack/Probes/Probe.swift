/// Honest clients that one attack is aimed at, and what must hold for them.
protocol Probe: AnyObject {
  /// The attack may begin.
  var isReady: Bool { get }
  func attackDidBegin()
  /// Nothing that it waits for is missing.
  var isDone: Bool { get }
  func attackDidEnd()
  /// What happened, for a person.
  var summary: String { get }
  /// What must not happen and did, as sentences without their full stop; empty is a pass.
  var failures: [String] { get }
}

extension Probe {
  var isDone: Bool { true }
  func attackDidBegin() {}
  func attackDidEnd() {}
}
