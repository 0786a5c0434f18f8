extension Archive {
  /// The tables of a new archive.
  ///
  /// - `position` is where the journal was read up to.
  /// - `x` and `o` are the players of a match by the marks of its first game, and those of a game
  ///   by its own.
  /// - `points` is the rating for people, by which a leaderboard is ordered.
  /// - `xPrevious`, `oPrevious`, `latest` and `milestones` are the links of `PlayerChains`.
  static let schema = """
    PRAGMA application_id = \(applicationID);
    CREATE TABLE position (segment INTEGER NOT NULL, offset INTEGER NOT NULL);
    INSERT INTO position VALUES (0, 0);
    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      password TEXT NOT NULL, created INTEGER NOT NULL);
    CREATE TABLE ratings (
      account INTEGER NOT NULL, game TEXT NOT NULL, name TEXT NOT NULL, points INTEGER NOT NULL,
      rating REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL,
      won INTEGER NOT NULL, lost INTEGER NOT NULL, drawn INTEGER NOT NULL,
      PRIMARY KEY (account, game)) WITHOUT ROWID;
    CREATE INDEX leaderboards ON ratings (game, points DESC, name);
    \(games)
    CREATE TABLE matches (
      id TEXT PRIMARY KEY, game TEXT NOT NULL, x TEXT NOT NULL, o TEXT NOT NULL,
      last INTEGER NOT NULL, ended INTEGER NOT NULL, lines BLOB, checksum TEXT);
    """

  private static let games = """
    CREATE TABLE games (
      id INTEGER PRIMARY KEY, match TEXT NOT NULL, game TEXT NOT NULL,
      x TEXT NOT NULL, o TEXT NOT NULL, xPrevious INTEGER NOT NULL, oPrevious INTEGER NOT NULL,
      xAccount INTEGER, oAccount INTEGER, winner TEXT, reason TEXT NOT NULL,
      moves INTEGER NOT NULL, ended INTEGER NOT NULL);
    CREATE TABLE players (
      key TEXT PRIMARY KEY, latest INTEGER NOT NULL, games INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE milestones (
      key TEXT NOT NULL, link INTEGER NOT NULL, PRIMARY KEY (key, link)) WITHOUT ROWID;
    """

  /// Version 1 had the keys of the names in each game, and an index for each.
  static let conversionFromVersion1 = """
    CREATE TEMP TABLE links (
      link INTEGER PRIMARY KEY, key TEXT NOT NULL, previous INTEGER NOT NULL,
      number INTEGER NOT NULL);
    INSERT INTO links
      SELECT link, key, lag(link, 1, 0) OVER player, row_number() OVER player
      FROM (SELECT 2 * id AS link, xKey AS key FROM games
        UNION ALL SELECT 2 * id + 1, oKey FROM games)
      WINDOW player AS (PARTITION BY key ORDER BY link) ORDER BY link;
    ALTER TABLE games RENAME TO oldGames;
    \(games)
    INSERT INTO games
      SELECT id, match, game, x, o, linkOfX.previous, linkOfO.previous, xAccount, oAccount, winner,
        reason, moves, ended
      FROM oldGames JOIN links AS linkOfX ON linkOfX.link = 2 * id
        JOIN links AS linkOfO ON linkOfO.link = 2 * id + 1
      ORDER BY id;
    INSERT INTO players SELECT key, max(link), count(*) FROM links GROUP BY key;
    INSERT INTO milestones
      SELECT key, link FROM links WHERE number % \(PlayerChain.milestone) = 0;
    DROP TABLE oldGames;
    DROP TABLE links;
    """
}
