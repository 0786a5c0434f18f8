import Shared

/// How far the name of a person was taken out of the archive. This takes a while in a large one, so
/// it goes in steps, between which others may use the archive.
struct ErasureProgress: Sendable {
  /// How many games, and how many matches, one step looks at.
  static let gamesPerStep = 5_000
  static let matchesPerStep = 250

  let name: PlayerName
  /// The last game and the row of the last match that are looked at, which were there at the
  /// beginning: those after them are of somebody else with this name.
  fileprivate let lastGame: Int
  fileprivate let lastMatch: Int
  fileprivate var game = 0
  fileprivate var match = 0
  var erasure = Erasure()

  var isDone: Bool { game >= lastGame && match >= lastMatch }
}

extension Archive {
  /// Deletes an account, if there is one, and the list of the games of its name.
  func beginErasure(of name: PlayerName, account: Int?) throws -> ErasureProgress {
    try durably {
      if let account { try deleteAccount(account) }
      for table in ["players", "milestones"] {
        try database.statement("DELETE FROM \(table) WHERE key = ?").run(.text(name.key.text))
      }
      var progress = ErasureProgress(
        name: name, lastGame: try number("SELECT ifnull(max(id), 0) FROM games"),
        lastMatch: try number("SELECT ifnull(max(rowid), 0) FROM matches"))
      progress.erasure.hasAccount = account != nil
      return progress
    }
  }

  /// Looks at some more games and matches.
  func continueErasure(_ progress: ErasureProgress) throws -> ErasureProgress {
    var progress = progress
    try durably {
      // What is overwritten is not left in the file.
      try database.execute("PRAGMA secure_delete = ON")
      defer { try? database.execute("PRAGMA secure_delete = OFF") }
      if progress.game < progress.lastGame {
        try eraseInGames(&progress)
      } else {
        try eraseInMatches(&progress)
      }
    }
    return progress
  }

  private func eraseInGames(_ progress: inout ErasureProgress) throws(DatabaseError) {
    let eraser = NameEraser(progress.name)
    let end = min(progress.game + ErasureProgress.gamesPerStep, progress.lastGame)
    var found: [(id: Int, players: PerMark<String>)] = []
    try database.statement("SELECT id, x, o FROM games WHERE id > ? AND id <= ?")
      .run(.integer(progress.game), .integer(end)) { row in
        let players = PerMark(x: row.text(1), o: row.text(2))
        if eraser.hasName(in: players) { found.append((row.integer(0), players)) }
      }
    let update = try database.statement("UPDATE games SET x = ?, o = ? WHERE id = ?")
    for (id, players) in found {
      let new = eraser.players(players)
      try update.run(.text(new.x), .text(new.o), .integer(id))
    }
    progress.game = end
    progress.erasure.games += found.count
  }

  private func eraseInMatches(_ progress: inout ErasureProgress) throws(DatabaseError) {
    let eraser = NameEraser(progress.name)
    let end = min(progress.match + ErasureProgress.matchesPerStep, progress.lastMatch)
    var found: [(row: Int, players: PerMark<String>, lines: [UInt8]?)] = []
    // A spectator who has spoken is in the lines only.
    try database.statement(
      "SELECT rowid, x, o, lines, instr(lines, ?) FROM matches WHERE rowid > ? AND rowid <= ?"
    ).run(.blob(eraser.quotedName), .integer(progress.match), .integer(end)) { row in
      let players = PerMark(x: row.text(1), o: row.text(2))
      guard eraser.hasName(in: players) || row.integer(4) > 0 else { return }
      let lines = row.isNull(3) ? nil : row.withBytes(3) { Array($0) }
      found.append((row.integer(0), players, lines))
    }
    let update = try database.statement(
      "UPDATE matches SET x = ?, o = ?, lines = ?, checksum = ? WHERE rowid = ?")
    for (row, players, lines) in found {
      let (new, lines) = (eraser.players(players), lines.map(eraser.lines))
      try update.run(
        .text(new.x), .text(new.o), lines.map { .blob($0) } ?? .null,
        .text(lines.map(Self.checksum)), .integer(row))
    }
    progress.match = end
    progress.erasure.matches += found.count
  }
}

/// Puts `Erasure.someone` into finished games and matches instead of a name, in any of its
/// spellings.
struct NameEraser {
  private let key: ExactText
  /// The name as the lines of a match have it.
  let quotedName: [UInt8]

  init(_ name: PlayerName) {
    key = name.key
    var quoted: [UInt8] = []
    LineWriter.withLine({ $0.put(quoted: name.text) }, { quoted.append($0) })
    quotedName = quoted
  }

  private func isName(_ text: String) -> Bool { PlayerName.key(of: text) == key }

  func hasName(in players: PerMark<String>) -> Bool { isName(players.x) || isName(players.o) }

  func players(_ players: PerMark<String>) -> PerMark<String> {
    PerMark(
      x: isName(players.x) ? Erasure.replacement(beside: players.o) : players.x,
      o: isName(players.o) ? Erasure.replacement(beside: players.x) : players.o)
  }

  /// Returns the lines of a match without the name, and without the remarks of its owner. Only
  /// beginnings of games and remarks have names.
  func lines(_ lines: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(lines.count)
    var decoder = EventDecoder()
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let isCandidate = Self.typesWithNames.contains { line.starts(with: $0.utf8) }
      if isCandidate, case .match(let event)? = (try? decoder.decode(Array(line).span))?.event,
        let body = body(event.body)
      {
        EventEncoder.withLine(body, match: QuotedName(event.match), seq: event.seq) {
          result.append($0)
        }
      } else {
        result += line
        result.append(UInt8(ascii: "\n"))
      }
    }
    return result
  }

  private static let typesWithNames = [#"{"type":"gameDidStart""#, #"{"type":"didSay""#]

  /// Returns what stands instead of an event; `nil` if it may stay.
  private func body(_ body: MatchEvent.Body) -> MatchEvent.Body? {
    switch body {
    case .gameDidStart(let state) where hasName(in: state.players):
      .gameDidStart(
        GameState(
          game: state.game, you: state.you, players: players(state.players), board: state.board,
          score: state.score, level: state.level, timeLeft: state.timeLeft))
    case .didSay(let from, let mark, _) where isName(from):
      .didSay(from: Erasure.someone, mark: mark, text: Erasure.noRemark)
    case .gameDidStart, .didSay, .boardDidChange, .gameDidEnd, .presenceDidChange, .matchDidEnd:
      nil
    }
  }
}
