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

  @Test func `a match that goes on is read`() throws {
    let lines = StoredMatch.example.lines.split(separator: "\n").prefix(3)
    let contents = Data((lines.joined(separator: "\n") + "\n").utf8)
    #expect(try ReplayFile(path: "m.txt").replay(in: contents).moveCount == 2)
  }

  @Test func `what tictactoe-server verify calls wrong is refused`() throws {
    let lines = StoredMatch.example.lines
    let whole = lines.split(separator: "\n").map(String.init)
    func change(_ old: String, _ new: String, in line: Int) -> String {
      var lines = whole
      lines[line] = lines[line].replacing(old, with: new)
      return lines.joined(separator: "\n") + "\n"
    }
    var swapped = whole
    swapped.swapAt(1, 2)
    let end = try #require(whole.firstIndex { $0.contains("gameDidEnd") })
    for contents in [
      // Cut off, a blank line, an event that is missing, two in the wrong order.
      String(lines.dropLast()), lines.replacing("\n", with: "\n\n", maxReplacements: 1),
      (whole[..<1] + whole[2...]).joined(separator: "\n") + "\n",
      swapped.joined(separator: "\n") + "\n",
      // A move off the board, one of the wrong side, one with another hash.
      change(#""row":"#, #""row":9"#, in: 1), change(#""mark":"X""#, #""mark":"O""#, in: 1),
      change(#""hash":""#, #""hash":"0"#, in: 1),
      // Another beginning, another end, another score.
      change(#""X":0"#, #""X":7"#, in: 0), change(#""reason":""#, #""reason":"x"#, in: end),
      change(#""X":1"#, #""X":2"#, in: end), change(#""O":1"#, #""O":2"#, in: end),
    ] where contents != lines {
      #expect(error(in: contents)?.code == .damaged, "\(contents)")
    }
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
      ("\n\n", "m.txt, line 1: This is not a line of an exported match."),
      (
        String(lines.dropLast()),
        "m.txt, line 12: The line has no end, so the file is not complete."
      ),
      (
        first + first.replacing(#""seq":1"#, with: #""seq":3"#),
        "m.txt, line 2: The event does not follow event 1."
      ),
      (
        first + first.replacing(#""seq":1"#, with: #""seq":2"#),
        "m.txt, line 2: A game begins in another."
      ),
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
