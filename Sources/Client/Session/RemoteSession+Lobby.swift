import RIBs
import Shared

extension RemoteSession: GameLobby {
  var status: Stream<LobbyStatus> { current.stream }
  var invitations: Stream<[Invitation]> { invitationList.stream }
  var notices: Stream<String> { noticeSource.stream }
  var playerLists: Stream<PlayerList> { playerListSource.stream }
  var matchLists: Stream<MatchList> { matchListSource.stream }
  var returns: Stream<Void> { returnSource.stream }

  func start(_ game: GameInfo, against opponent: Opponent, level: BotLevel?) {
    if case .betweenGames = current.value, let own, let players = scoreStream.latest?.players {
      // If the other player has just left, this arrives in the lobby, where it means nobody else.
      let name = players[own.other].name
      return commands.sendStart(.start(opponent: name, game: game.id, level: nil))
    }
    let level = opponent == .bot ? level : nil
    commands.sendStart(.start(opponent: opponent.name, game: game.id, level: level))
  }

  func open(_ game: GameInfo) { commands.sendStart(.open(game: game.id)) }
  func join(_ code: String) { commands.sendStart(.join(code: code)) }
  func watch(_ match: String) { commands.sendStart(.watch(match: match)) }
  func decline(_ opponent: String) { commands.send(.decline(opponent: opponent)) }
  func cancelStart() { commands.send(.cancel) }

  func leaveMatch() {
    guard case .betweenGames(_, hasAsked: true) = current.value, commands.isOnline else {
      return sendLeave()
    }
    // The next game may begin at this moment, and would be lost.
    link.send(.cancel) { [weak self] answer in
      switch answer {
      case .error(.notWaiting, _, _, _): break
      default: self?.sendLeave()
      }
    }
  }

  private func sendLeave() {
    commands.send(.leave, onLoss: { [weak self] in self?.match.didLoseLeave() })
  }

  func replay(_ match: String) {
    replays.load(match) { [weak self] result in
      switch result {
      case .success(let replay): self?.delegate?.gameService(didLoad: replay)
      case .failure(let error):
        self?.noticeSource.send(error.sentence)
        self?.delegate?.gameServiceDidNotStart(.refused)
      }
    }
  }

  func listPlayers(answer: @escaping RequestAnswer<PlayerList>) {
    commands.request(.list(.players), answer) {
      if case .players(let list) = $0 { list } else { nil }
    }
  }

  func listMatches(answer: @escaping RequestAnswer<MatchList>) {
    commands.request(.list(.matches), answer) {
      if case .matches(let list) = $0 { list } else { nil }
    }
  }
}
