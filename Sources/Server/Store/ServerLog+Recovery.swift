/// The log lines of the stored data.
extension ServerLog {
  /// Writes what was wrong with the data at the start, and from now on when there is no room for
  /// the journal, or there is again, and when a stored match turns out to be damaged.
  func observe(_ recovery: Recovery) {
    if recovery.hasLostJournal {
      log.write(
        .warning, "journalLost",
        [
          "text": .words(
            "The journal ends before what the archive has taken from it. Somebody has removed or"
              + " replaced it, so matches have lost their last events, or are gone.")
        ])
    }
    recovery.directory.onDamage = { [log] match in
      log.write(
        .warning, "matchDamaged",
        ["match": .text(match), "text": .words("The stored lines of this match are damaged.")])
    }
    if recovery.torn > 0 {
      log.write(
        .warning, "journalCut",
        [
          "bytes": .number(recovery.torn),
          "text": .words("The end of the journal was incomplete, and has been cut off."),
        ])
    }
    if recovery.unknownGames > 0 {
      log.write(
        .warning, "matchesDropped",
        [
          "matches": .number(recovery.unknownGames),
          "text": .words("This server does not have their game."),
        ])
    }
    recovery.store.onRoomChange = { [log] hasRoom in
      log.write(
        .warning, hasRoom ? "diskHasRoom" : "diskFull",
        [
          "text": .words(
            hasRoom
              ? "There is room for the journal again." : "The disk is full, so no game begins.")
        ])
    }
  }
}
