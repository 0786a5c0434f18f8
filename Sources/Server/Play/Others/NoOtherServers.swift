import Shared

/// For a server that stands alone: everything is here, or nowhere.
final class NoOtherServers: OtherServers {
  weak var host: (any OtherServersHost)?
  let matchTimers: any Timers

  init(timers: any Timers) {
    matchTimers = timers
  }

  var retry: Duration? { nil }
  var whyNotReady: String? { nil }
  /// The next process needs a moment to start.
  var restartTime: ClosedRange<Int> { 1_000...1_000 }

  func newSessionID() -> String { "" }

  func takeName(_ name: PlayerName, for id: String, answer: @escaping CommandAnswer<Void>) {
    answer(.success(()))
  }

  func endSession(_ id: String, of name: PlayerName) {}

  func forgetSession(_ id: String) {}

  func find(
    session id: String, _ secret: Token,
    answer: @escaping ((route: Route, arrival: Arrival)) -> Void
  ) {
    answer((.here, .nothing))
  }

  func forgetRoute(_ route: Route, of id: String, _ secret: Token) {}

  func find(match: String, answer: @escaping (Route) -> Void) { answer(.here) }

  func find(player: String, answer: @escaping (Route) -> Void) { answer(.here) }

  func findMatch(of name: PlayerName, answer: @escaping (Route) -> Void) { answer(.here) }

  func find(code: String, answer: @escaping (Route) -> Void) { answer(.here) }

  func offer(
    _ request: PendingRequest, of session: Session, answer: @escaping (Route) -> Void
  ) {
    answer(.here)
  }

  /// Never called: no route leads elsewhere.
  func handOver(
    _ session: Session, by route: Route, _ command: Command?,
    answer: @escaping (Departure) -> Void
  ) {
    answer(.refused(CommandError(.unavailable)))
  }

  func takeBack(_ session: Session) {}

  func readLists(answer: @escaping ([Event]) -> Void) { answer([]) }

  func leave() {}
}
