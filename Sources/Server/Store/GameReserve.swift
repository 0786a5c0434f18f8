import Shared

/// How much of the journal one game may need. On a full disk, the games that run end in what was
/// allocated for them before.
enum GameReserve {
  /// A move: the line of its record has up to 190 bytes if its numbers have up to ten digits, and
  /// with it may come a record `s` of up to 50.
  private static let move = 240
  /// An open cell in the line of a move, such as `[14,14],`.
  private static let openCell = 8
  /// Everything else: up to 700 bytes for the beginning of a game, 900 for its end and that of the
  /// match, and 500 for each time that a player reconnects. Chat is refused on a full disk.
  private static let rest = 4_096

  /// Returns the number of bytes that a match may need for one game to its end: 6 KiB for
  /// `tictactoe`, 57 KiB for `gomoku`, 74 KiB for `ultimate`.
  static func bytes(for game: GameInfo) -> Int {
    let cells = game.board.shape.cellCount
    return rest + cells * (move + (game.board.open == nil ? 0 : openCell * cells))
  }
}
