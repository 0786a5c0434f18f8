import RIBs
import Shared

final class PlainOffGameView: OffGameViewControllable {
  weak var listener: (any OffGamePresentableListener)?
  /// A person types `list` to see them.
  let showsLists = false
  private let console: Console
  private let names: [String]
  private let greeting: LobbyGreeting
  /// Whether the lobby has not been shown before.
  private var isGreeting = true
  private var status = LobbyStatus.lobby
  private var offers: [Offer] = []
  private var series: Series?
  private var invitations: [Invitation] = []
  /// The view of a child, which gets the typed lines first.
  private var child: (any ConsoleView)?

  init(console: Console, names: [String], greeting: LobbyGreeting = LobbyGreeting()) {
    self.console = console
    self.names = names
    self.greeting = greeting
  }

  func show(_ view: any ViewControllable) {
    child = view as? any ConsoleView
    (view as? any ConsoleChild)?.parent = self
  }

  func hide(_ view: any ViewControllable) {
    guard child === view else { return }
    let wasAsking = child?.isAsking == true
    child = nil
    // Otherwise a reply or a notice follows, and asks after it.
    if wasAsking { askUnlessWaiting() }
  }

  /// The person learns it from the login and from the replies.
  func show(_ nameStatus: NameStatus) {}

  /// Keeps the score for the next status, which shows it.
  func show(_ series: Series?) {
    self.series = series
  }

  func show(_ status: LobbyStatus, since: Duration?, offers: [Offer]) {
    self.status = status
    self.offers = offers
    switch status {
    case .lobby:
      isGreeting = greeting.isDue(for: names)
      console.say(lobby)
    case .waiting(_, let friend?):
      console.say(
        friend.line.map {
          """
          Waiting for a friend. Your code is: \(friend.code)
          Your friend types: \($0)
          To stop waiting, type: cancel
          """
        } ?? """
          Waiting for a friend. Your code is: \(friend.code)
          Your friend starts: \(friend.command)
          or opens the URL \(friend.url), or types: join \(friend.code)
          To stop waiting, type: cancel
          """)
    case .waiting(let opponent, nil):
      console.say(
        "Waiting for \(opponent ?? "an opponent"). To stop waiting, type: cancel")
    case .betweenGames(_, let hasAsked):
      if let series, !hasAsked { console.say(Self.score(of: series)) }
      console.say(
        hasAsked
          ? "Waiting for \(opponent ?? "the other player") to start the next game."
            + " To stop waiting, type: cancel"
          : "For the next game, type: start. To leave the match, type: leave")
    case .watching:
      if let series { console.say(Self.score(of: series)) }
      console.say("The next game appears when it begins. To stop watching, type: leave")
    }
    askUnlessWaiting()
  }

  func show(_ game: GameInfo?, _ level: BotLevel?) {
    guard isGreeting else { return }
    if let game { say("The next game is \(game.name).") }
    if let level { say("The bot plays at level \(level.rawValue).") }
  }

  /// Shows the new invitations.
  func show(_ invitations: [Invitation]) {
    for invitation in invitations
    where !self.invitations.contains(where: {
      $0.from == invitation.from && $0.game == invitation.game
    }) {
      let offer = offers.first { $0.game.id == invitation.game }
      say(invitation, to: isChoice ? offer : nil)
    }
    self.invitations = invitations
  }

  func show(_ players: PlayerList) {}
  func show(_ matches: MatchList) {}

  /// `offer` is the invitation's game; `nil` if the server offers only one game.
  private func say(_ invitation: Invitation, to offer: Offer?) {
    let from = invitation.from
    if let offer, !offer.isPlayable {
      return console.say(
        "\(from) invites you to \(offer.game.name), which cannot be played with this client.")
    }
    let invites = "\(from) invites you" + (offer.map { " to \($0.game.name)" } ?? "")
    let decline = "to decline: decline \(from)"
    switch status {
    case .lobby:
      console.say("\(invites). To play, type: start \(from); \(decline)")
    case .waiting:
      console.say("\(invites). To play, type: cancel, then: start \(from); \(decline)")
    case .betweenGames where from == opponent:
      console.say(
        "\(from) wants to play the next game. To play it, type: start; to decline: decline")
    case .betweenGames, .watching:
      console.say("\(invites). To play, type: leave, then: start \(from); \(decline)")
    }
  }

  func showRequest(_ action: LaunchAction) {
    switch action {
    case .start(let opponent, _, _):
      console.say("Starting a game with \(opponent.phrase) …")
    case .join(let code): console.say("Joining the game with the code \(code) …")
    case .watch(let match), .replay(let match):
      console.say("Looking for the match \(match) …")
    }
    console.stopAsking()
  }

  func show(waitingFor duration: Duration) {
    console.say("Still waiting (\(duration.elapsed)).")
  }

  func say(_ sentence: String) {
    console.say(sentence)
    askUnlessWaiting()
  }

  private func askUnlessWaiting() {
    // The question of a child stays open.
    if child?.isAsking == true { return }
    guard status.isWaiting else { return console.ask("> ") }
    console.listen { $0.onlyCommand.map(Self.wordsWhileWaiting.contains) ?? false }
  }

  /// The commands that a pipe may give while the person waits for an opponent.
  private static let wordsWhileWaiting: Set<String> = ["cancel", "leave", "quit"]

  /// Whether the person waits for a match; the wait for its next game is another one.
  private var isWaitingForMatch: Bool { if case .waiting = status { true } else { false } }
  private var isChoice: Bool { offers.count > 1 }
  /// Whether two people share the keyboard, without a server.
  private var isLocal: Bool { names.count > 1 }

  /// The greeting, or one line for a person who has read it.
  private var lobby: String {
    guard isGreeting else {
      return isLocal
        ? Self.howToPlayHere
        : "You are in the lobby. To play, type: start. To see the commands, type: help"
    }
    var lines = ["You are \(names.joined(separator: " and "))."]
    if isChoice { lines += games }
    lines.append(
      isLocal
        ? Self.howToPlayHere
        : "To play, type: start (with anyone), start bot, start NAME, or open (a friend).\n"
          + "To see who is here, type: list")
    return lines.joined(separator: "\n")
  }

  private static let howToPlayHere =
    "To play against each other, type: start. To play the computer, type: start bot"

  private var games: [String] {
    ["Games (to choose one, type: game ID):"]
      + offers.map { offer in
        "  \(offer.game.id)  \(offer.game.name)"
          + (offer.isPlayable ? "" : " (cannot be played with this client)")
      }
  }

  /// The name of the opponent in the current series.
  private var opponent: String? {
    guard let players = series?.players else { return nil }
    return [players.x.name, players.o.name].first { !names.contains($0) }
  }

  private static func score(of series: Series) -> String {
    let (players, score) = (series.players, series.score)
    return "\(players.x.name): \(score.x), \(players.o.name): \(score.o), draws: \(score.draws)."
  }
}

/// Whom the lobby has greeted: it shows the games and how to begin once to each person.
final class LobbyGreeting {
  private var names: [String]?

  func isDue(for names: [String]) -> Bool {
    defer { self.names = names }
    return self.names != names
  }
}

extension PlainOffGameView: ConsoleView {
  /// `isLocal`: there is no server. `isChoice`: there is more than one game.
  static func help(isLocal: Bool, isChoice: Bool) -> String {
    let gameLine = isChoice ? "game ID      choose a game; to see the games: game\n" : ""
    let end = """
      quit         end the program; also: exit, q
      Commands can be typed in capitals, too.
      """
    let bot = """
      start bot    play against the computer; also: start bot GAME LEVEL
                   (LEVEL is easy, medium or hard)
      """
    guard !isLocal else {
      return """
        start        play against each other; between games: play the next game
        \(bot)
        \(gameLine)\
        leave        leave the match
        \(end)
        """
    }
    return """
      start        play against anyone; between games: play the next game
      \(bot)
      start NAME   play against a player; also: start NAME GAME
      open         wait for a friend, who gets a code from you
      join CODE    play with the friend who has sent you a code
      decline NAME decline an invitation
      \(gameLine)\
      cancel       stop waiting
      leave        leave the match
      list         see who is here
      matches      see which matches are being played
      watch ID     watch a match
      history      show your finished games; also: history NAME, history everyone
      leaderboard  show the best players; also: leaderboard GAME
      replay ID    show a match that is over again
      register     make your name your own, or change its password
      unregister   give your registered name up
      say TEXT     send a message to everyone in the match
      mute         hide chat messages; to show them again: unmute
      \(end)
      """
  }

  /// A password on the typed line would stay on the screen.
  private static let secret =
    "A password is never typed with the command. Type the command alone; it asks for the password."

  private var noBoard: String {
    if case .watching = status {
      return "No game is running now. The next one appears by itself."
    }
    return "No game is running now. To play, type: start"
  }

  private func start(_ words: String) {
    switch StartWords(words, offers: offers, invitations: invitations) {
    case .bot(let gameID, let level): startBot(gameID, level)
    case .misspelled(let sentence): say(sentence)
    case .player(let name, nil): listener?.perform(.start(.player(name)))
    case .player(let name, let gameID?): if choose(gameID) { request(.start(.player(name))) }
    }
  }

  /// Starts a game with the bot; a game that the server does not offer only gets its notice.
  private func startBot(_ gameID: String?, _ level: BotLevel?) {
    if let gameID, !choose(gameID) { return }
    if let level { listener?.perform(.chooseLevel(level)) }
    request(.start(.bot))
  }

  /// Chooses a game before a request. Returns `false` if it cannot be played; its notice says why.
  private func choose(_ gameID: String) -> Bool {
    listener?.perform(.choose(gameID: gameID))
    return offers.contains { $0.isPlayable && $0.game.isNamed(gameID) }
  }

  /// Makes a request after notices, which have asked for the next command. That comes only after
  /// the reply.
  private func request(_ action: OffGameAction) {
    console.stopAsking()
    listener?.perform(action)
  }

  func didType(_ line: String) -> Bool {
    if child?.didType(line) == true { return true }
    let typed = TypedLine(line)
    let text = typed.rest?.trimmingQuotes
    switch (typed.command, text) {
    case ("", _): askUnlessWaiting()
    case ("start", nil), ("start", ""): listener?.perform(.start(.anyone))
    case ("start", _?): start(typed.rest ?? "")
    case ("game", nil), ("games", nil): say(games.joined(separator: "\n"))
    case ("game", let id?): listener?.perform(.choose(gameID: id))
    case ("open", nil): listener?.perform(.open)
    case ("open", let id?): if choose(id) { request(.open) }
    case ("join", nil): say("To play with a friend, type the code: join CODE")
    case ("join", let code?): listener?.perform(.join(code))
    case ("decline", let name): listener?.perform(.decline(name))
    case ("cancel", nil): listener?.perform(.cancel)
    case ("leave", nil): listener?.perform(isWaitingForMatch ? .cancel : .leave)
    case ("list", _): list(text?.lowercased(), typed)
    case ("matches", nil): listener?.perform(.listMatches)
    case ("watch", nil): say("To watch a match, type its id: watch ID")
    case ("watch", let id?): listener?.perform(.watch(id))
    case ("replay", let id?): listener?.perform(.replay(id))
    case ("replay", nil): say("To see a match again, type its id: replay ID")
    case ("history", nil): listener?.perform(.history(.mine))
    case ("history", let name?):
      listener?.perform(.history(name.lowercased() == "everyone" ? .everyone : .player(name)))
    case ("leaderboard", let id): listener?.perform(.leaderboard(gameID: id))
    case ("register", nil): listener?.perform(.account(.setPassword))
    case ("unregister", nil): listener?.perform(.account(.unregister))
    case ("register", _), ("unregister", _): say(Self.secret)
    case ("say", _?), ("mute", nil), ("unmute", nil): return false
    case ("help", _): showHelp()
    case ("place", _), ("resign", nil), ("board", nil): say(noBoard)
    default: say(TypedMove(line) == nil ? typed.refusal(among: CommandWords.all) : noBoard)
    }
    return true
  }

  private func list(_ what: String?, _ typed: TypedLine) {
    switch what {
    case nil, "players": listener?.perform(.listPlayers)
    case "matches": listener?.perform(.listMatches)
    case "games": say(games.joined(separator: "\n"))
    default: say(typed.refusal(among: CommandWords.all))
    }
  }

  private func showHelp() {
    if case .watching = status {
      say(PlainTicTacToeView.helpWhileWatching)
    } else {
      say(Self.help(isLocal: isLocal, isChoice: isChoice))
    }
  }
}
