import Shared
import Testing

@testable import Server

@Suite struct MatchChannelTests {
  private let fixture: LobbyFixture
  private let ann: SessionFixture
  private let bob: SessionFixture
  private let channel: MatchChannel

  init() throws {
    fixture = LobbyFixture()
    ann = try SessionFixture("ann", in: fixture)
    bob = try SessionFixture("bob", in: fixture)
    channel = MatchChannel(
      match: "m", game: .ticTacToe, seats: PerMark(x: ann.session, o: bob.session))
  }

  @Test func `every event has the next number and reaches both`() throws {
    for _ in 0..<3 { channel.send(.gameDidEnd(.draw, Score())) }
    let lines = try ann.hear()
    #expect(lines.map { $0["seq"] } == [1, 2, 3])
    #expect(try bob.hear() == lines)
    #expect(channel.seq == 3)
  }

  @Test func `only the beginning of a game has you`() throws {
    channel.send(.gameDidStart(.new))
    channel.send(.boardDidChange(.first))
    channel.send(.gameDidEnd(.draw, Score()))
    channel.send(.matchDidEnd(.shutdown, by: nil, Score()))
    #expect(try ann.hear().map { $0["you"] } == ["X", nil, nil, nil])
    #expect(try bob.hear().map { $0["you"] } == ["O", nil, nil, nil])
  }

  @Test func `players swap marks in the next game`() throws {
    channel.swapMarks()
    #expect(channel.seats.x === bob.session)
    #expect(channel.seats.o === ann.session)
    #expect(channel.mark(of: ann.session) == .o)
    channel.send(.gameDidStart(.new))
    #expect(try ann.hear().map { $0["you"] } == ["O"])
    #expect(try bob.hear().map { $0["you"] } == ["X"])
  }

  @Test func `against the bot the player has the right mark`() throws {
    let channel = MatchChannel(match: "m", game: .ticTacToe, seats: PerMark(x: ann.session, o: nil))
    #expect(channel.mark(of: ann.session) == .x)
    channel.send(.gameDidStart(.new))
    channel.swapMarks()
    #expect(channel.mark(of: ann.session) == .o)
    channel.send(.gameDidStart(.new))
    #expect(try ann.hear().map { $0["you"] } == ["X", "O"])
  }

  @Test func `events that are sent again have the marks of their game`() throws {
    for number in 0..<3 {
      channel.send(
        .gameDidStart(
          GameState(
            game: "tictactoe", players: channel.seats.map { $0?.name.text ?? "" },
            board: Board(.ticTacToe), score: Score(draws: number))))
      channel.swapMarks()
    }
    let (annHeard, bobHeard) = try (ann.hear(), bob.hear())
    let told = (
      channel.sendMissed(after: 0, to: ann.session), channel.sendMissed(after: 0, to: bob.session)
    )
    #expect(told == (true, true))
    #expect(try ann.hear() == annHeard)
    #expect(try bob.hear() == bobHeard)
    #expect(annHeard.map { $0["you"] } == ["X", "O", "X"])
  }

  @Test func `without missed events nothing is sent`() throws {
    channel.send(.gameDidEnd(.draw, Score()))
    _ = try ann.hear()
    #expect(!channel.sendMissed(after: 1, to: ann.session))
    #expect(!channel.sendMissed(after: 2, to: ann.session))
    #expect(try ann.hear() == [])
    #expect(channel.sendMissed(after: 0, to: ann.session))
    #expect(try bob.hear().count == 1)
  }

  @Test func `a number is current from the last change of the board to the last event`() {
    func current() -> [Int] { (0...9).filter(channel.isCurrent) }
    channel.send(.gameDidStart(.new))
    #expect(current() == [1])
    channel.send(.boardDidChange(.first))
    #expect(current() == [2])
    channel.send(.gameDidEnd(.draw, Score()))
    #expect(current() == [2, 3])
    channel.send(.gameDidStart(.new))
    #expect(current() == [4])
    #expect(!channel.isCurrent(.max))
  }
}

extension Outcome {
  fileprivate static let draw = Outcome(winner: nil, reason: .full)
}

extension Change {
  fileprivate static let first = Change(
    Placement(cell: Cell(row: 0, column: 0), mark: .x), turn: .o, hash: 1)
}

extension GameState {
  fileprivate static let new = GameState(
    game: "tictactoe", players: PerMark(x: "ann", o: "bob"), board: Board(.ticTacToe),
    score: Score())
}
