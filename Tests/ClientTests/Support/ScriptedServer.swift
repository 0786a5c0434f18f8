import Shared
import TestSupport

/// The server's end of a link: sends the events of the test and records the client's lines.
final class ScriptedServer {
  static let ticTacToe = GameSummary(
    id: "tictactoe", name: "Tic Tac Toe", rows: 3, columns: 3, inARow: 3)
  static let large = GameSummary(id: "large", name: "Large", rows: 4, columns: 4, inARow: 4)

  /// Called after everything that was sent has arrived.
  var didSend: () -> Void = {}
  private var line: LineClient
  private let network: MemoryNetwork
  private(set) var match = ""
  private var seq = 0
  private var board = Board(.ticTacToe)
  private var lastID: RequestID?

  init(_ connection: MemoryConnection, on network: MemoryNetwork) {
    line = LineClient(connection, on: network)
    self.network = network
  }

  /// Continues the match on another connection of the client.
  func accept(_ connection: MemoryConnection) {
    line = LineClient(connection, on: network)
  }

  func send(_ events: Event..., re: RequestID? = nil) {
    for event in events { line.sendOnly(Self.text(of: event, re: re)) }
    network.run()
    didSend()
  }

  func send(line text: String) {
    line.sendOnly(text)
    network.run()
    didSend()
  }

  func greet(
    _ games: [GameSummary] = [ticTacToe], protocolVersion: Int = 1, idle: Duration? = nil
  ) {
    send(Self.hello(games, protocolVersion: protocolVersion, idle: idle))
  }

  /// Sends an answer to the client's last command.
  func answer(_ event: Event) {
    _ = takeLines()
    send(event, re: lastID)
  }

  /// Sends an answer to the last command that the test has taken.
  func answerLast(_ event: Event) {
    send(event, re: lastID)
  }

  /// The client's lines since the previous call.
  func takeLines() -> [String] {
    network.run()
    let lines = line.takeLines()
    let decoder = CommandDecoder()
    for text in lines {
      do throws(LineError) {
        lastID = try decoder.decode(Array(text.utf8).span)?.id
      } catch {
        preconditionFailure("The client has sent what is no command: \(text)")
      }
    }
    return lines
  }

  func cut() {
    line.cut()
    didSend()
  }

  func end() {
    line.end()
    didSend()
  }

  static func hello(
    _ games: [GameSummary] = [ticTacToe], protocolVersion: Int = 1, idle: Duration? = nil
  ) -> Event {
    .hello(
      Hello(
        protocolVersion: protocolVersion, server: "test 1", games: games,
        limits: Limits(line: 4_096, resumeWithin: .seconds(30), idle: idle),
        help: "Help."))
  }

  static func text(of event: Event, re: RequestID? = nil) -> String {
    var bytes: [UInt8] = []
    EventEncoder.append(event, re: re, to: &bytes)
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }
}

/// The scripted match.
extension ScriptedServer {
  /// Begins a game; with `isAnswer`, as the answer to the last command that the test has taken.
  func beginGame(
    _ info: GameInfo = .ticTacToe, match: String? = nil, you: Mark? = .x, x: String = "ann",
    o: String = "bob", score: Score = Score(), timeLeft: Duration? = nil,
    isAnswer: Bool = false
  ) {
    if let match { (self.match, seq) = (match, 0) }
    board = Board(info.shape)
    send(
      nextEvent(
        .gameDidStart(
          GameState(
            game: info.id, you: you, players: PerMark(x: x, o: o), board: board, score: score,
            timeLeft: timeLeft))), re: isAnswer ? lastID : nil)
  }

  /// A snapshot of the current state of the match.
  func snapshot(
    you: Mark? = .x, x: String = "ann", o: String = "bob", score: Score = Score(),
    online: PerMark<Bool> = PerMark(x: true, o: true), outcome: Outcome? = nil,
    timeLeft: Duration? = nil
  ) -> Event {
    let over = outcome.flatMap { _ in Board(board.shape, rows: board.rows, turn: nil) }
    return .matchSnapshot(
      MatchSnapshot(
        match: match, seq: max(1, seq),
        GameState(
          game: "tictactoe", you: you, players: PerMark(x: x, o: o), board: over ?? board,
          score: score, timeLeft: timeLeft),
        online: online, outcome: outcome))
  }

  /// Sends a move of the player to move. The number of the cell counts from 1.
  func move(_ number: Int, timeLeft: Duration? = nil) {
    send(nextMove(number, timeLeft: timeLeft))
  }

  func endGame(_ outcome: Outcome, score: Score = Score()) {
    send(nextEvent(.gameDidEnd(outcome, score)))
  }

  func endMatch(_ reason: MatchEndReason, by mark: Mark? = nil, score: Score = Score()) {
    send(nextEvent(.matchDidEnd(reason, by: mark, score)))
  }

  /// Numbers the next event of the match without sending it.
  func nextEvent(_ body: MatchEvent.Body) -> Event {
    seq += 1
    return .match(MatchEvent(match: match, seq: seq, body))
  }

  /// Makes a move without sending it.
  func nextMove(_ number: Int, timeLeft: Duration? = nil) -> Event {
    guard let mark = board.turn else { preconditionFailure("The scripted game is over.") }
    do throws(MoveError) {
      let change = try board.place(mark, at: board.shape.cell(at: number - 1))
      return nextEvent(.boardDidChange(change, timeLeft: timeLeft))
    } catch {
      preconditionFailure("The scripted move \(number) is refused: \(error).")
    }
  }
}
