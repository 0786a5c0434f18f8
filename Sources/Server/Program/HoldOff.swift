import Foundation
import Shared

/// Delays a start under a service manager after starts that have failed: for 1 s, 2 s, 4 s and so
/// on, up to a minute. The manager itself tries again and again at once, and for each connection
/// that waits at its socket.
///
/// The number of failures is in a file on which a full disk has no effect. It is forgotten after a
/// clean end, and when a process has lived for a while.
struct HoldOff {
  static let maxDelay: Duration = .seconds(60)
  /// A process that has lived for this long has not failed to start.
  static let calmTime: Duration = .seconds(300)
  /// The ends after which the manager does not try again: somebody has to correct something. The
  /// unit has them in `RestartPreventExitStatus=`.
  static let finalCodes: [ExitCode] = [.usage, .damaged, .configuration]

  /// What the file says.
  struct Record: Equatable {
    /// The number of starts without a clean end, including the last one.
    var starts: Int
    /// When the last one began to do its work, since the machine was started.
    var began: Duration
    /// Whether it has ended with one of `finalCodes`.
    var isFinal = false

    /// The delay of the next start.
    func delay(at now: Duration) -> Duration {
      guard starts > 0, now >= began, now - began < HoldOff.calmTime else { return .zero }
      return starts > 6 ? maxDelay : min(maxDelay, .seconds(1 << (starts - 1)))
    }

    func next(at now: Duration) -> Record {
      let isCalm = now < began || now - began >= HoldOff.calmTime
      return Record(starts: isCalm ? 1 : min(starts + 1, 99), began: now)
    }
  }

  private let path: String

  /// Returns `nil` if no service manager has started the process, or it keeps no folder for it.
  init?(in environment: [String: String]) {
    guard environment["NOTIFY_SOCKET"] != nil,
      let folder = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first
    else { return nil }
    path = "\(folder)/starts"
  }

  /// Waits as long as the failures before ask for. After an end that asks somebody to correct
  /// something, it waits only if a connection has caused the start, and until one of `files` has
  /// changed.
  ///
  /// - Returns: false if a signal has ended the wait, and so the process has to end.
  func waitForStart(orChangeOf files: [String], _ manager: ServiceManager?) -> Bool {
    let record = record
    let end = record.map { BootClock.now() + $0.delay(at: BootClock.now()) } ?? .zero
    let isFinal = record?.isFinal == true
    let signals = [SIGINT, SIGTERM]
    SignalMask.block(signals)
    defer { SignalMask.unblock(signals) }
    if !isFinal || PassedSocket.hasConnection(in: ProcessInfo.processInfo.environment) {
      while BootClock.now() < end, !(isFinal && hasChanged(files)) {
        let left = end - BootClock.now()
        manager?.holdsOff(for: left, after: record?.starts ?? 0)
        if SignalMask.wait(for: signals, within: min(left, .seconds(1))) {
          unlink(path)
          return false
        }
      }
    }
    let now = BootClock.now()
    write(record?.next(at: now) ?? Record(starts: 1, began: now))
    return true
  }

  /// The process is about to end.
  func didEnd(with code: ExitCode) {
    if code == .ok {
      unlink(path)
    } else if Self.finalCodes.contains(code), var record {
      record.isFinal = true
      write(record)
    }
  }

  /// Returns whether one of the files was changed after the record was written.
  private func hasChanged(_ files: [String]) -> Bool {
    guard let written = FileChange(of: path)?.time else { return true }
    return files.contains { file in FileChange(of: file).map { $0.time > written } ?? false }
  }

  private var record: Record? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let starts = Int(words[0]), let began = Int(words[1]) else {
      return nil
    }
    return Record(starts: starts, began: .seconds(began), isFinal: words[2] == "final")
  }

  /// If this fails, the next start does not wait.
  private func write(_ record: Record) {
    let text =
      "\(record.starts) \(record.began.components.seconds) \(record.isFinal ? "final" : "open")\n"
    try? Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }
}
