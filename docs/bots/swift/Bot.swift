import Foundation

/// A bot that plays games, and takes them up again after lost connections and restarts of the
/// server. docs/writing-a-bot.md explains it.
final class Bot {
  private let options: Options
  private var server: Address
  private var token: String?
  /// The last event of the match that we have.
  private var seq = 0
  private var game: Game?
  /// Games won, lost and drawn in this match, and in all before.
  private var score = (won: 0, lost: 0, drawn: 0), before = (won: 0, lost: 0, drawn: 0)
  private var lostAt: ContinuousClock.Instant?
  /// The last `resume` has no reply, so its token may be spent.
  private var isInDoubt = false, wasInDoubt = false
  private var exitCode: Int32?

  // What belongs to one connection.
  private var connection: LineConnection?
  private var lastID = 0
  /// The command without a reply.
  private var pending: Command?
  /// The place of the session; `nil` before `didLogin`.
  private var place: String?
  /// Whether we have asked for the next game; whether events are missing.
  private var hasAsked = false, isBehind = false
  private var invitations: [String] = []
  private var notBefore = ContinuousClock.now
  /// When to connect again; `nil` while this connection serves.
  private var retry: Duration?

  /// The time without a line after which the server is asked whether it is there.
  private static let silence: Duration = .seconds(10)
  /// The time in which the server may not have noticed that our connection is lost.
  private static let noticeTime: Duration = .seconds(30)

  init(_ options: Options) {
    self.options = options
    server = options.server
    token = options.keptToken
  }

  /// Plays. Returns the exit code of the program.
  func run() -> Int32 {
    var pause: Duration = .milliseconds(100)
    while true {
      (lastID, pending, place, retry) = (0, nil, nil, nil)
      (hasAsked, isBehind, invitations) = (false, false, [])
      do {
        connection = try LineConnection(to: server)
        try talk()
      } catch {
        report("The connection is lost: \(error)")
        server = options.server
      }
      connection = nil
      if let exitCode { return exitCode }
      if place != nil { (pause, lostAt) = (.milliseconds(100), .now) }
      wait(retry ?? pause * Double.random(in: 0.5...1))
      pause = min(pause * 2, .seconds(5))
    }
  }

  /// Reads lines, and acts whenever no command is without a reply.
  private func talk() throws {
    var isProbing = false
    while exitCode == nil, retry == nil {
      guard let lines = try connection?.readLines(within: Self.silence) else {
        guard !isProbing else { throw ConnectionError(description: "the server is silent") }
        isProbing = true
        try connection?.send(Data(#"{"type":"ping"}"#.utf8))
        continue
      }
      isProbing = false
      for line in lines { try take(JSONDecoder().decode(Event.self, from: line)) }
      if pending == nil, exitCode == nil, retry == nil { try act() }
    }
  }

  /// Sends a command. The line with its id as `re` is the reply.
  private func send(_ command: Command) throws {
    lastID += 1
    var command = command
    command.id = lastID
    pending = command
    try connection?.send(JSONEncoder().encode(command))
  }

  private func send(_ type: String) throws { try send(Command(type)) }

  // MARK: What to do next

  private func act() throws {
    wait(notBefore - .now)
    switch place {
    case nil: try logIn()
    case _ where games(before) + games(score) >= options.games: try send("quit")
    case "waiting" where options.opponent == "anyone" && !invitations.isEmpty: try send("cancel")
    case "lobby": try start(with: invitations.isEmpty ? nil : invitations.removeFirst())
    case "playing":
      guard let game, !isBehind else { return }
      if game.turn == game.you {
        try move(in: game)
      } else if game.turn == nil, !hasAsked {
        try start()
      }
    default: break
    }
  }

  private func logIn() throws {
    var command = Command(token == nil ? "login" : "resume")
    if let token {
      (wasInDoubt, isInDoubt) = (isInDoubt, true)
      // Without a game, the whole board comes.
      (command.token, command.seq) = (token, game == nil ? nil : seq)
    } else {
      (command.name, command.password) = (options.name, options.password)
    }
    try send(command)
  }

  /// Asks for a game. If an opponent has just left, this arrives in the lobby, and means the same
  /// there.
  private func start(with inviting: String? = nil) throws {
    var command = Command("start")
    command.opponent = options.opponent == "anyone" ? inviting : options.opponent
    command.game = options.game
    try send(command)
  }

  /// Sends a move that holds only for the board that we know, so it is never made twice.
  private func move(in game: Game) throws {
    guard let cell = game.choose() else { return }
    var command = Command("place")
    (command.row, command.col, command.seq) = (cell.row, cell.col, seq)
    try send(command)
  }

  // MARK: What the server says

  private func take(_ event: Event) throws {
    var command: Command?
    if let id = event.re, id == pending?.id { (command, pending) = (pending, nil) }
    switch event.type {
    case "hello" where event.protocol != 1: end("This server speaks another protocol.")
    case "didLogin":
      (token, place, isInDoubt) = (event.token, event.place ?? "lobby", false)
      options.keep(token)
      // What stands comes again now. The reply to this comes after all of it.
      try send("ping")
    case "didQueue":
      hasAsked = true
      if place == "lobby" { place = "waiting" }
    case "didCancel":
      hasAsked = false
      if place == "waiting" { place = "lobby" }
    case "invited" where event.game == options.game: invitations.append(event.from ?? "")
    case "invitationDidEnd": invitations.removeAll { $0 == event.from }
    case "announcement": report(event.text ?? "")
    case "error": try takeError(event, replyTo: command?.type)
    case "bye": takeBye(event)
    default: try takeMatchEvent(event)
    }
  }

  private func takeMatchEvent(_ event: Event) throws {
    guard let number = event.seq else { return }
    if let new = Game(event) {
      if let game, game.match != new.match { closeMatch() }
      if event.type == "gameDidStart", number <= seq { return }
      (game, seq, place, hasAsked, isBehind) = (new, number, "playing", false, false)
      forgetInvitations()
    } else if number <= seq {
      return  // It comes again.
    } else if number > seq + 1 || game == nil {
      return try synchronize()
    } else {
      (seq, isBehind) = (number, false)
    }
    switch event.type {
    case "boardDidChange": if game?.apply(event) == false { try synchronize() }
    case "gameDidEnd":
      game?.turn = nil
      print(event.result ?? "", event.winner ?? "", event.reason ?? "")
      fflush(nil)
    case "matchDidEnd":
      (place, hasAsked) = ("lobby", false)
      forgetInvitations()
    default: break
    }
    if let new = event.score {
      score = game?.you == "X" ? (new.X, new.O, new.draws) : (new.O, new.X, new.draws)
    }
  }

  /// Those of the players of this match end with it, and no line says so.
  private func forgetInvitations() { invitations.removeAll { game?.players.contains($0) == true } }

  /// Asks for what is missing, or for the whole board.
  private func synchronize() throws {
    guard !isBehind else { return }
    isBehind = true
    try send("sync")
  }

  private func takeError(_ error: Event, replyTo command: String?) throws {
    notBefore = .now + .milliseconds(error.retry ?? 0)
    let isEarly = lostAt.map { .now - $0 < Self.noticeTime } ?? false
    switch error.code {
    case "stale": isBehind = true  // The missing events follow.
    // A spent token is good again once the server has noticed that its connection is lost.
    case "unknownToken" where wasInDoubt && isEarly: retry = .seconds(1)
    case "unknownToken":
      (token, game, isInDoubt) = (nil, nil, false)
      closeMatch()
    case "nameTaken" where isEarly: retry = .seconds(1)
    // What has happened, the lines before have said.
    case "notInMatch", "notWaiting": isBehind = false
    case let code where command == "place" && code != "tooFast": try synchronize()
    case let code where command == "start" && code != "unknownGame" && code != "badField":
      notBefore = max(notBefore, .now + .seconds(1))
    default: if error.retry == nil { end(error.message ?? "") }
    }
  }

  private func takeBye(_ bye: Event) {
    switch bye.code {
    case "quit":
      let all = (before.won + score.won, before.lost + score.lost, before.drawn + score.drawn)
      print("\(games(all)) games: \(all.0) won, \(all.1) lost, \(all.2) drawn")
      exitCode = 0
    case "takenOver", "kicked", "banned", "badProtocol", "flood": end(bye.message ?? "")
    default:
      retry = .milliseconds(bye.retry ?? (bye.to == nil ? 60_000 : 0))
      server = bye.to.flatMap(Address.init) ?? options.server
    }
  }

  /// Adds the score of the match to that of all earlier ones.
  private func closeMatch() {
    before = (before.won + score.won, before.lost + score.lost, before.drawn + score.drawn)
    (score, seq) = ((0, 0, 0), 0)
  }

  private func games(_ score: (won: Int, lost: Int, drawn: Int)) -> Int {
    score.won + score.lost + score.drawn
  }

  private func end(_ sentence: String) {
    report(sentence)
    exitCode = 1
  }

  private func report(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  }

  private func wait(_ time: Duration) {
    if time > .zero { Thread.sleep(forTimeInterval: time / .seconds(1)) }
  }
}
