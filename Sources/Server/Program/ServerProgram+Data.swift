import Foundation
import Shared

extension ServerProgram {
  private static let lookInterval: Duration = .seconds(5)

  static func dataPath(_ options: ServerOptions) -> String? {
    options.data.path(port: options.port, ProcessInfo.processInfo.environment)
  }

  /// Opens the folder of the server's data, and says where it is. Returns `nil` if the server keeps
  /// none. With `metrics`, the loop answers requests meanwhile.
  static func openData(
    _ options: ServerOptions, _ games: GameRegistry, _ loop: EventLoop, _ metrics: Metrics?,
    _ manager: ServiceManager?
  ) throws -> (folder: DataFolder, recovery: Recovery)? {
    guard let path = dataPath(options) else { return nil }
    let folder = try DataFolder(path)
    ErrorOutput.ofProcess.write("The data is in \(folder.path).")
    var hasWaited = false
    let observer = RecoveryObserver(
      tell: { ErrorOutput.ofProcess.write($0, .warning) },
      whileLocked: {
        try waitForLock(in: folder.path, isFirst: !hasWaited, manager)
        hasWaited = true
        if metrics != nil { try? loop.turn(wait: .zero) }
      },
      onProgress: { manager?.willRead($0, of: $1) },
      whenReading: {
        // If the wait fails, so does the first one of `run`, which tells.
        if metrics != nil { try? loop.turn(wait: .zero) }
      })
    let recovery = try Recovery(
      folder, games: games, options: options.store,
      context: StoreContext(
        gate: loop.outputGate,
        workers: StoreWorkers(
          journal: try HelperThread(loop: loop), archive: try HelperThread(loop: loop),
          passwords: try HelperThread(loop: loop, priority: .idle)),
        timers: loop, metrics: metrics),
      observer: observer)
    watch(folder, recovery.archive, loop)
    return (folder, recovery)
  }

  /// Called again and again while another program locks the archive.
  ///
  /// - Throws: if a signal has asked for the stop, which nothing else handles yet.
  private static func waitForLock(
    in folder: String, isFirst: Bool, _ manager: ServiceManager?
  ) throws(StartError) {
    if isFirst {
      ErrorOutput.ofProcess.write(
        "Another program holds a lock on \(folder)/\(Archive.fileName). The start goes on when it"
          + " has ended.", .warning)
    }
    guard !SignalMask.hasPending([SIGINT, SIGTERM]) else {
      throw StartError(code: .ok, sentence: "The server was stopped while it waited.")
    }
    manager?.isWaiting(for: "Waiting for another program, which locks the archive.")
    // Some locks are refused at once.
    usleep(100_000)
  }

  /// Notices at once that somebody removes files of the data. Where this is not possible, it looks
  /// again and again.
  private static func watch(_ folder: DataFolder, _ archive: ArchiveQueue, _ loop: EventLoop) {
    let look = { [weak archive] in archive?.checkFiles() ?? () }
    #if os(Linux)
      do throws(SystemError) {
        try FolderWatch(loop: loop, paths: [folder.path, folder.journal.path], action: look)
      } catch {
        // The system has no room for one more.
        callAgainAndAgain(look, on: loop)
      }
    #else
      callAgainAndAgain(look, on: loop)
    #endif
  }

  private static func callAgainAndAgain(_ action: @escaping () -> Void, on loop: EventLoop) {
    loop.schedule(after: lookInterval) { [unowned loop] in
      action()
      callAgainAndAgain(action, on: loop)
    }
  }

  /// Returns what the operator has decided before.
  static func moderation(
    in folder: String?, _ loop: EventLoop, _ cluster: Cluster?, _ log: Log
  ) throws -> Moderation {
    if let cluster {
      return Moderation(store: cluster.operator) { [clock = cluster.clock] in clock.time }
    }
    let clock = SteadyClock()
    let now = { clock.time }
    let moderation =
      try folder.map {
        Moderation(
          try OperatorFile.read(in: $0),
          store: OperatorFile(in: $0, worker: try HelperThread(loop: loop)), now: now)
      } ?? Moderation(now: now)
    watch(clock, moderation, on: loop, log)
    return moderation
  }

  /// Notices at once that the system's clock is set. Where this is not possible, it looks again and
  /// again.
  private static func watch(
    _ clock: SteadyClock, _ moderation: Moderation, on loop: EventLoop, _ log: Log
  ) {
    let look = {
      guard let step = clock.takeStep() else { return }
      log.write(
        .warning, "clockStepped",
        [
          "ms": .number(step.wholeMilliseconds),
          "text": .words("The system's clock was set. Bans and mutes keep their lengths."),
        ])
      moderation.clockDidStep(by: step)
      moderation.save { _ in }
    }
    #if os(Linux)
      do throws(SystemError) {
        try ClockWatch(loop: loop, action: look)
      } catch {
        callAgainAndAgain(look, on: loop)
      }
    #else
      callAgainAndAgain(look, on: loop)
    #endif
  }
}
