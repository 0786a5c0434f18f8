import Shared

/// The form is the desk's, and what goes on once somebody is logged in is the session's.
extension RemotePlay: Play {
  var fields: [LoginField] { desk.fields }
  func problems(with values: [String]) -> [String?] { desk.problems(with: values) }

  func login(
    with values: [String], progress: @escaping (String) -> Void,
    answer: @escaping (Result<[String], LoginRefusal>) -> Void
  ) -> any Cancellable {
    desk.logIn(with: values, progress: progress) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let login):
        didLogInAtForm(login)
        answer(.success([login.name]))
        // Now somebody shows it.
        if let problem = desk.problem { session.notify(problem) }
      case .failure(.link(let failure)):
        answer(.failure(failure.refusal(from: desk.address)))
      case .failure(.refused(_, let sentence)):
        answer(.failure(LoginRefusal(sentence: sentence)))
      }
    }
  }

  var matchGame: GameInfo? { session.matchGame }
  var status: Stream<PlayStatus> { session.status }
  var invitations: Stream<[Invitation]> { session.invitations }
  var notices: Stream<String> { session.notices }
  var news: Stream<MatchNews> { session.news }

  func start(_ game: GameInfo, against opponent: Opponent) {
    session.wishes.start(game, against: opponent)
  }

  func cancelStart() { session.wishes.cancelStart() }
  func leaveMatch() { session.wishes.leaveMatch() }
  func say(_ text: String) { session.wishes.say(text) }
  func watch(_ match: String) { session.wishes.watch(match) }
  func listPlayers() { session.wishes.listPlayers() }
  func listMatches() { session.wishes.listMatches() }

  func listPlayers(answer: @escaping (PlayerList?) -> Void) {
    session.wishes.listPlayers(answer: answer)
  }

  func listMatches(answer: @escaping (MatchList?) -> Void) {
    session.wishes.listMatches(answer: answer)
  }

  /// The server has counted it.
  func gameDidEnd(with outcome: Outcome) {}
}
