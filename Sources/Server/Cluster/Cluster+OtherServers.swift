import Shared

/// What the tree asks of the other nodes.
extension Cluster: OtherServers {
  var matchTimers: any Timers { store.matchTimers }

  var retry: Duration? { node.life == nil ? ClusterNode.period : nil }

  var whyNotReady: String? {
    guard node.state.isAlive else { return "The server cannot reach the engine of its cluster." }
    guard let problem = addressProblem, problem.preventsGames else { return nil }
    return problem.sentence
  }

  /// The other nodes are there already, so the clients need not all come at once.
  var restartTime: ClosedRange<Int> { 1...1_000 }

  func newSessionID() -> String { sessions.newID() }

  func takeName(_ name: PlayerName, for id: String, answer: @escaping CommandAnswer<Void>) {
    sessions.takeName(name, for: id, answer: answer)
  }

  func endSession(_ id: String, of name: PlayerName) { sessions.endSession(id, of: name) }

  func forgetSession(_ id: String) { sessions.forgetSession(id) }

  func find(
    session id: String, _ secret: Token,
    answer: @escaping ((route: Route, arrival: Arrival)) -> Void
  ) {
    var arrival = Arrival.nothing
    sessions.find(id, secret, arrival: { arrival = $0 }, answer: { answer(($0, arrival)) })
  }

  func forgetRoute(_ route: Route, of id: String, _ secret: Token) {
    sessions.visits.forget(route, of: id, secret)
  }

  func find(match: String, answer: @escaping (Route) -> Void) {
    sessions.find(match: match, answer: answer)
  }

  func find(player: String, answer: @escaping (Route) -> Void) {
    sessions.find(player: player, answer: answer)
  }

  func findMatch(of name: PlayerName, answer: @escaping (Route) -> Void) {
    sessions.findMatch(of: name, answer: answer)
  }

  func find(code: String, answer: @escaping (Route) -> Void) {
    requests.find(code: code, answer: answer)
  }

  func offer(
    _ request: PendingRequest, of session: Session, answer: @escaping (Route) -> Void
  ) {
    requests.add(request, of: session, answer: answer)
  }

  func handOver(
    _ session: Session, by route: Route, _ command: Command?,
    answer: @escaping (Departure) -> Void
  ) {
    sessions.handOver(session, by: route, command, answer: answer)
  }

  func takeBack(_ session: Session) { sessions.takeBack(session) }

  func readLists(answer: @escaping ([Event]) -> Void) { lists.readOthers(answer: answer) }

  func leave() {
    node.leave { [weak self] in self?.waitForStore() }
  }

  /// All that this node had to store is stored before it has left.
  private func waitForStore() {
    guard store.isStoring else { return onLeave() }
    timers.schedule(after: Self.leaveInterval) { [weak self] in self?.waitForStore() }
  }
}
