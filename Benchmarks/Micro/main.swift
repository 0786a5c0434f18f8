// The parts of a move, each by itself: `BenchmarkMicro NAME COUNT` runs one of them COUNT times.
// Its time means little on a busy machine; `Benchmarks/count parts` counts its instructions
// instead.

import RIBs
import Shared

/// The line to decode and frame: as the client writes it, and without an `id`.
private let line = Array(#"{"type":"place","id":4,"row":1,"col":1}"#.utf8)
private let bareLine = Array(#"{"type":"place","row":1,"col":1}"#.utf8)

/// A whole game, a draw.
private let cells = [0, 2, 1, 3, 5, 4, 6, 7, 8].map(BoardShape.ticTacToe.cell(at:))

private final class SilentView: TicTacToeViewControllable {
  weak var listener: (any TicTacToePresentableListener)?
  func show(_ board: Board) {}
  func apply(_ change: Change) {}
  func refuse(_ refusal: MoveError, to mark: Mark?) {}
  func announce(_ outcome: Outcome) {}
}

/// Not used: no bot plays here.
private final class UnusedBotThinker: BotThinker {
  func move(
    on board: Board, by strategy: Strategy, answer: @escaping (Cell) -> Void
  ) -> any Cancellable { CompositeCancellable() }
}

/// The RIB that attaches games.
private final class Match: Interactor, GameListener, TicTacToeDependency {
  let random = RandomSource()
  let botThinker: any BotThinker = UnusedBotThinker()
  private(set) var view = SilentView()

  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    view = SilentView()
    return view
  }

  func gameDidEnd(with outcome: Outcome) {}
}

private final class MatchRouter: Router<Match> {
  private let setup = GameSetup(
    series: Series(PerMark(x: .person("ann"), o: .person("bob"))), seat: .none,
    board: Board(.ticTacToe))
  private let builder: TicTacToeBuilder

  init() {
    let match = Match()
    builder = TicTacToeBuilder(dependency: match, game: .ticTacToe)
    super.init(interactor: match)
    match.activate()
    load()
  }

  func play(_ cells: some Sequence<Cell>) {
    let game = builder.build(withListener: interactor, setup: setup)
    attachChild(game)
    for cell in cells { interactor.view.listener?.place(at: cell, by: nil) }
    detachChild(game)
  }
}

private func decode(_ count: Int) {
  for _ in 0..<count {
    guard CommandDecoder.move(line.span) != nil else { preconditionFailure("a good line") }
  }
}

private func decodeBare(_ count: Int) {
  for _ in 0..<count {
    guard CommandDecoder.bareMove(bareLine.span) != nil else { preconditionFailure("a good line") }
  }
}

private func encode(_ count: Int) {
  let change = Change(
    Placement(cell: Cell(row: 1, column: 1), mark: .x), turn: .o, hash: 0xafa6_87df)
  let match = QuotedName("7q2k")
  for seq in 0..<count {
    EventEncoder.withLine(change, timeLimit: nil, match: match, seq: seq % 30) { line in
      precondition(!line.isEmpty)
    }
  }
}

private func frame(_ count: Int) {
  let chunk = line + [0x0A]
  var framer = LineFramer(limit: ProtocolLimits.maxCommandLine)
  for _ in 0..<count {
    var offset = 0
    while framer.next(in: chunk.span, from: &offset) != .needsMore {}
  }
}

/// Counts games of nine moves.
private func rules(_ count: Int) {
  for _ in 0..<count {
    var board = Board(.ticTacToe)
    for cell in cells {
      guard let turn = board.turn, (try? board.place(turn, at: cell)) != nil else {
        preconditionFailure("a good move")
      }
    }
  }
}

/// Counts games of nine moves, each in a RIB of its own.
private func game(_ count: Int) {
  let match = MatchRouter()
  for _ in 0..<count { match.play(cells) }
}

/// Attaches a game and detaches it.
private func attach(_ count: Int) {
  let match = MatchRouter()
  for _ in 0..<count { match.play([]) }
}

private let all = [
  "decode": decode, "decodeBare": decodeBare, "encode": encode, "frame": frame, "rules": rules,
  "game": game, "attach": attach,
]

guard CommandLine.arguments.count == 3, let run = all[CommandLine.arguments[1]],
  let count = Int(CommandLine.arguments[2])
else {
  preconditionFailure("usage: BenchmarkMicro \(all.keys.sorted().joined(separator: "|")) COUNT")
}
let time = ContinuousClock().measure { run(count) }
print("\(time / count)")
