import Foundation
import Shared

/// Takes finished matches out of the engine of a cluster as they end: makes them durable in the
/// archive, and only then removes their streams. One follower works at a time; others stand by.
final class ArchiveFollower {
  /// How long a follower may be silent before another one takes over.
  static let term: Duration = .seconds(5)
  /// The time between two looks at the engine.
  static let interval: Duration = .seconds(1)
  /// The time between two looks at all streams, for those that nodes of an older version have left.
  static let sweepInterval: Duration = .seconds(300)
  /// How long it waits after a failure of the disk.
  static let retryDelay: Duration = .seconds(5)

  private let reader: RedisReader
  private let data: String
  private let id: String
  private let log: Log
  private let sqlite: SQLite
  /// The address at which it answers nodes; empty if it does not.
  private let address: String
  private var responder: ArchiveResponder?
  private var isStopped = false
  /// `nil` while another process uses the folder.
  private var opened: (folder: DataFolder, archive: Archive)?
  private var state = State.new
  private var nextSweep: Duration?
  /// The matches that were found to be damaged, so that each is named once.
  private var damaged: Set<String> = []
  private(set) var matchCount = 0

  private enum State: Equatable {
    case new, standingBy, following
    /// The engine does not answer, or the disk does not take what is written.
    case failing(String)
  }

  init(
    _ reader: RedisReader, data: String, listeningOn place: RedisAddress.Place? = nil, log: Log
  ) throws {
    self.reader = reader
    self.data = data
    self.log = log
    sqlite = try SQLite()
    address = place.map(\.description) ?? ""
    id = RandomSource(SecureRandomNumberGenerator()).letters(16)
    if let place {
      responder = try ArchiveResponder(on: place, loop: reader.loop) { [unowned self] match, seq in
        try opened?.archive.match(match).flatMap { StoredReplay($0, after: seq) }
      }
    }
  }

  /// Follows until SIGTERM or SIGINT.
  static func run(_ options: ToolOptions, _ engine: RedisAddress) throws -> ExitCode {
    SignalMask.block([SIGINT, SIGTERM])
    signal(SIGPIPE, SIG_IGN)
    var logOptions = Log.Options()
    logOptions.isForJournal = Log.Options.isJournal(
      STDERR_FILENO, ProcessInfo.processInfo.environment)
    let output = LogOutput(STDERR_FILENO) { count in
      LogLine(
        time: Date(), level: .warning, event: "dropped", fields: ["lines": .number(count)]
      ).bytes(for: logOptions)
    }
    let reader = try RedisReader(engine)
    let follower = try ArchiveFollower(
      reader, data: options.data, listeningOn: options.place,
      log: Log(logOptions, now: Date.init, sink: output.write))
    let signals = try [SIGINT, SIGTERM].map {
      try SignalSource(loop: reader.loop, signal: $0) { follower.isStopped = true }
    }
    defer { for signal in signals { signal.cancel() } }
    ErrorOutput.ofProcess.write("Taking the finished matches of \(engine) to \(options.data).")
    try follower.follow()
    return .ok
  }

  private func follow() throws {
    while !isStopped {
      var delay = Self.interval
      do {
        try turn()
      } catch {
        note(.failing(StartError(error, inToolOn: data, target: data).sentence))
        // Another follower may have a better disk.
        if reader.isConnected {
          _ = try? reader.reply(to: .unfollow, id)
          delay = Self.retryDelay
        }
      }
      let end = reader.loop.preciseNow + delay
      while !isStopped, reader.loop.preciseNow < end {
        try reader.loop.turn(wait: end - reader.loop.preciseNow)
      }
    }
    if reader.isConnected { _ = try? reader.reply(to: .unfollow, id) }
    log.write(.info, "stopped", ["matches": .number(matchCount)])
  }

  /// Takes or renews the lease, and with it takes the matches that have ended.
  func turn() throws {
    guard let archive = try openArchive(), try hasLease() else { return note(.standingBy) }
    note(.following)
    if nextSweep.map({ reader.loop.preciseNow >= $0 }) ?? true {
      let all = try ArchiveTool.finishedMatches(reader, missingIn: nil)
      for start in stride(from: 0, to: all.count, by: ArchiveTool.batch) {
        let part = all[start..<min(start + ArchiveTool.batch, all.count)]
        guard !isStopped, try hasLease() else { return }
        try take(Array(part), to: archive)
      }
      try archive.reserveAccountsOfGames()
      nextSweep = reader.loop.preciseNow + Self.sweepInterval
    }
    while !isStopped {
      let part = try ArchiveTool.waitingMatches(reader, count: ArchiveTool.batch)
      let count = try take(part, to: archive)
      // What cannot be removed now comes again with the next turn.
      guard part.count == ArchiveTool.batch, count > 0, try hasLease() else { break }
    }
    _ = try reader.reply(to: "SET", RedisKey.lastArchive, String(Date().milliseconds))
  }

  private func hasLease() throws -> Bool {
    try reader.reply(to: .follow, id, String(Self.term.milliseconds), address).number == 1
  }

  /// Returns the archive; `nil` while another follower uses the folder.
  private func openArchive() throws -> Archive? {
    if let opened { return opened.archive }
    let folder: DataFolder
    do throws(StartError) {
      folder = try DataFolder(data, isForTool: true)
    } catch {
      if error.code == .unavailable { return nil }
      throw error
    }
    let archive = try Archive(in: folder.path, with: sqlite)
    opened = (folder, archive)
    return archive
  }

  /// Makes matches durable, and then removes their streams.
  ///
  /// - Returns: how many streams were removed.
  @discardableResult
  private func take(_ matches: [(id: String, ended: Int)], to archive: Archive) throws -> Int {
    guard !matches.isEmpty else { return 0 }
    var commands = RedisCommands()
    for match in matches { commands.add("XRANGE", RedisKey.stream(match.id), "-", "+") }
    var new: [FinishedMatch] = []
    var removable: [(id: String, last: String, count: Int)] = []
    for (match, reply) in zip(matches, try reader.replies(to: commands)) {
      let stream = reply.elements ?? []
      let entries = stream.compactMap { StreamEntry($0) }
      guard !StreamEntry.isRemoved(entries) else { continue }
      do throws(ReplayError) {
        let found = try FinishedMatch(match.id, stream, ended: match.ended, games: .server)
        // Without a game there is nothing to keep.
        if let found, try isNew(found, in: archive) { new.append(found) }
        removable.append((match.id, entries.last?.id.text ?? "", entries.count))
      } catch {
        try leave(match.id, because: error.reason)
      }
    }
    if !new.isEmpty {
      try archive.addGames { for match in new { try match.add(to: archive) } }
      try archive.synchronize()
      matchCount += new.count
    }
    return try remove(removable)
  }
  /// - Throws: if the archive has another match with the id of this one.
  private func isNew(_ match: FinishedMatch, in archive: Archive) throws(ReplayError) -> Bool {
    let stored: MatchLines?
    do {
      guard try archive.contains(match.lines.header.match) else { return true }
      stored = try archive.match(match.lines.header.match)
    } catch {
      throw ReplayError("the archive cannot be read: \(error)")
    }
    // The lines of an old match may have been removed.
    guard stored?.lines == nil || stored?.lines == match.lines.lines else {
      throw ReplayError("the archive has another match with its id")
    }
    return false
  }

  private func remove(_ matches: [(id: String, last: String, count: Int)]) throws -> Int {
    guard !matches.isEmpty else { return 0 }
    var commands = RedisCommands()
    for match in matches {
      commands.add(
        .removeArchived, arguments: [match.id, id, match.last, String(match.count)])
    }
    return try reader.replies(to: commands).count { $0.number == 1 }
  }

  /// Leaves a match in the engine that cannot be archived, without a limit of time unless it has
  /// one.
  private func leave(_ match: String, because reason: String) throws {
    _ = try reader.reply(to: "ZREM", RedisKey.finished, match)
    guard damaged.insert(match).inserted else { return }
    log.write(
      .warning, "notArchived",
      [
        "match": .text(match),
        "text": .words(
          "The match cannot be archived, because \(reason). Its stream stays in the engine. To keep"
            + " it also if it has a limit, type: redis-cli PERSIST \(RedisKey.stream(match))"),
      ])
  }

  private func note(_ new: State) {
    guard new != state else { return }
    state = new
    switch new {
    case .new: break
    case .standingBy:
      log.write(
        .info, "standingBy", ["text": .words("Another follower works, or uses the folder.")])
    case .following: log.write(.info, "following", ["data": .text(data)])
    case .failing(let sentence):
      log.write(.warning, "archiveFailed", ["text": .words(sentence)])
    }
  }
}
