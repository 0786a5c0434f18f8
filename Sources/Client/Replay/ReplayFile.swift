import Foundation
import Shared

/// A file that cannot be replayed, and the exit code that says so.
struct ReplayFileError: Error, Equatable {
  let code: ExitCode
  let sentence: String
}

/// A file with an exported match: the lines that a spectator got, and nothing else.
struct ReplayFile {
  /// A longer file is no match.
  static let maxBytes = 64 << 20

  let path: String

  /// Reads the match. It checks that the lines are those of one match, and follow the rules.
  ///
  /// - Throws: if there is no such file, it cannot be read, or a line is not one of a match.
  func read() throws(ReplayFileError) -> Replay {
    try replay(in: contents())
  }

  /// Parses the contents of a file.
  func replay(in contents: Data) throws(ReplayFileError) -> Replay {
    var decoder = EventDecoder()
    var events: [Event] = []
    var match: String?
    var isOver = false
    var rules = ReplayRules()
    let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // The last LF ends the last line.
    for (index, line) in lines.enumerated() where !(line.isEmpty && index == lines.count - 1) {
      func refuse(_ reason: String) -> ReplayFileError {
        ReplayFileError(
          code: .damaged, sentence: "\(path), line \(index + 1): \(reason)")
      }
      let event: Event
      do throws(LineError) { event = try decoder.decode(Array(line).span).event } catch {
        throw refuse("This is not a line of an exported match.")
      }
      guard let place = event.place else {
        throw refuse("This is not an event of a match.")
      }
      guard place.match == match ?? place.match else {
        throw refuse("This event is of another match.")
      }
      guard match != nil || event.isBeginning else {
        throw refuse("A match begins with the event gameDidStart.")
      }
      guard !isOver else { throw refuse("The match has ended before this line.") }
      guard index < lines.count - 1 else {
        throw refuse("The line has no end, so the file is not complete.")
      }
      if let reason = rules.refusal(of: event) { throw refuse(reason) }
      match = place.match
      isOver = event.isEnd
      events.append(event)
    }
    guard let match else {
      throw ReplayFileError(code: .damaged, sentence: "\(path), line 1: There is no match.")
    }
    return Replay(match: match, events: events)
  }

  private func contents() throws(ReplayFileError) -> Data {
    let bytes: Data
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      bytes = try file.read(upToCount: Self.maxBytes + 1) ?? Data()
    } catch {
      let isMissing = !FileManager.default.fileExists(atPath: path)
      throw ReplayFileError(
        code: isMissing ? .noInput : .ioError,
        sentence: isMissing
          ? "There is no file \(path)."
          : "\(path) cannot be read: \(StandardOutput.reason(of: error)).")
    }
    guard bytes.count <= Self.maxBytes else {
      throw ReplayFileError(
        code: .damaged,
        sentence: "\(path) is larger than \(Self.maxBytes >> 20) MiB, so it is not one match.")
    }
    return bytes
  }
}

extension Event {
  fileprivate var isBeginning: Bool {
    if case .match(let event) = self, case .gameDidStart = event.body { true } else { false }
  }
}
