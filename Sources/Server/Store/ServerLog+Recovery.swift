/// The log lines of the stored data.
extension ServerLog {
  /// Writes what was wrong with the data at the start, and from now on when there is no room for
  /// the journal, or there is again, when the archive cannot be used, and when a stored match turns
  /// out to be damaged.
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
    if let outage = recovery.archive.outage { write(outage) }
    recovery.archive.onOutage = { [self] in
      if let outage = $0 {
        write(outage)
      } else {
        log.write(
          .warning, "archiveAvailable",
          ["text": .words("The archive can be used again. What has waited goes into it now.")])
      }
    }
    recovery.store.onRoomChange = { [log, unowned store = recovery.store] hasRoom in
      let room = store.room
      log.write(
        .warning, hasRoom ? "diskHasRoom" : "diskFull",
        [
          "free": .number(room.free), "size": .number(room.size),
          "text": .words(
            hasRoom
              ? "There is room for the journal again."
              : room.lacksInodes
                ? "All inodes of the disk are in use (df -i), so no game begins."
                : "The disk is full, so no game begins."),
        ])
    }
  }

  private func write(_ outage: ArchiveOutage) {
    let rest =
      " Games go on, but no name can be registered, and results wait in the journal."
    switch outage {
    case .locked:
      log.write(
        .warning, "archiveLocked",
        [
          "text": .words(
            "Another program holds a lock on the archive.\(rest) The server tries again every"
              + " second.")
        ])
    case .missing(let paths):
      log.write(
        .warning, "dataMissing",
        [
          "files": .text(paths.joined(separator: ", ")),
          "text": .words(
            "Files of the data folder have been removed or replaced while the server uses them."
              + "\(rest) If they were moved, move them back. Otherwise stop the server. If"
              + " \(Archive.fileName) or files of the journal are gone, restore a backup. Then"
              + " start the server."),
        ])
    case .damaged(let reason):
      log.write(
        .warning, "archiveDamaged",
        [
          "reason": .text(reason),
          "text": .words(
            "The archive is damaged.\(rest) Stop the server, and restore a backup."),
        ])
    }
  }
}
