/// What a person does between games.
protocol OffGamePresentableListener: AnyObject {
  func choose(gameID: String)
  func start(against opponent: Opponent)
  func cancel()
  func leave()
  func watch(_ match: String)
  func list()
  func listMatches()
}
