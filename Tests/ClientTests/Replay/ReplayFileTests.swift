import Foundation
import Shared
import Testing

@testable import Client

/// Exported files.
@Suite struct ReplayFileTests {
  private func error(in contents: String) -> ReplayFileError? {
    do throws(ReplayFileError) {
      _ = try ReplayFile(path: "m.txt").replay(in: Data(contents.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test func `an exported match is read`() throws {
    let match = StoredMatch.example
    let replay = try ReplayFile(path: "m.txt").replay(in: Data(match.lines.utf8))
    #expect(replay.match == "zrg3")
    #expect(replay.moveCount == 6)
    #expect(replay.events.count == match.events.count)
  }

  @Test func `a match that goes on, and one without a last line feed, are read`() throws {
    let lines = StoredMatch.example.lines.split(separator: "\n").prefix(3).joined(separator: "\n")
    #expect(try ReplayFile(path: "m.txt").replay(in: Data(lines.utf8)).moveCount == 2)
  }

  @Test func `an event of an unknown type is counted`() throws {
    let line = #"{"type":"somethingNew","match":"zrg3","seq":2}"#
    let first = try #require(StoredMatch.example.lines.split(separator: "\n").first)
    let replay = try ReplayFile(path: "m.txt").replay(in: Data("\(first)\n\(line)\n".utf8))
    #expect(replay.events.count == 2)
  }

  @Test func `a file that is no replay is refused with the number of the line`() {
    let lines = StoredMatch.example.lines
    let first = String(lines.prefix { $0 != "\n" }) + "\n"
    for (contents, sentence) in [
      ("", "m.txt, line 1: There is no match."),
      ("\n\n", "m.txt, line 1: There is no match."),
      ("Dear diary,\n", "m.txt, line 1: This is not a line of an exported match."),
      (first + "\u{0}\n", "m.txt, line 2: This is not a line of an exported match."),
      (#"{"type":"pong"}"#, "m.txt, line 1: This is not an event of a match."),
      (
        lines.split(separator: "\n").dropFirst().joined(separator: "\n"),
        "m.txt, line 1: A match begins with the event gameDidStart."
      ),
      (
        first + first.replacing("zrg3", with: "q7q2"),
        "m.txt, line 2: This event is of another match."
      ),
      (lines + first, "m.txt, line 13: The match has ended before this line."),
    ] {
      #expect(error(in: contents) == ReplayFileError(code: .damaged, sentence: sentence))
    }
  }

  @Test func `a file that is missing is an error of its own`() {
    #expect(throws: ReplayFileError(code: .noInput, sentence: "There is no file /no/file.")) {
      try ReplayFile(path: "/no/file").read()
    }
  }

  @Test func `a folder cannot be read`() {
    do throws(ReplayFileError) {
      _ = try ReplayFile(path: "/").read()
      Issue.record("It was read.")
    } catch {
      #expect(error.code == .ioError)
    }
  }
}
