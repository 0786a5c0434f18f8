import Foundation
import Shared
import Testing

/// The lines of JSON in the documents about the protocol are those that the programs read.
@Suite struct ProtocolExampleTests {
  private static let docs = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs")
  private static let pages = ["PROTOCOL.md", "writing-a-bot.md"]

  /// The examples of a page; those that are shortened are left out.
  private static func lines(of page: String) throws -> [String] {
    let text = try String(contentsOf: docs.appendingPathComponent(page), encoding: .utf8)
    return text.matches(of: /(?m)^(?:> )?(\{"type":.*)$/).map { String($0.1) }
      .filter { !$0.contains("…") }
  }

  @Test(arguments: pages)
  func `every example is an event or a command that the decoders know`(page: String) throws {
    let lines = try Self.lines(of: page)
    try #require(lines.count >= 5)
    for line in lines {
      let bytes = Array(line.utf8)
      var events = EventDecoder()
      switch try? events.decode(bytes.span).event {
      case .unknown?, nil: break
      case .some: continue
      }
      #expect(throws: Never.self, "\(page): \(line)") {
        _ = try #require(try CommandDecoder().decode(bytes.span))
      }
    }
  }

  /// A reader who looks up a number finds one event of the match, whatever the page.
  @Test func `a match and a number are one event in all examples`() throws {
    var events: [String: MatchEvent] = [:]
    for page in Self.pages {
      for line in try Self.lines(of: page) {
        var decoder = EventDecoder()
        guard case .match(let event) = try? decoder.decode(Array(line.utf8).span).event else {
          continue
        }
        let key = "\(event.match) \(event.seq)"
        #expect(events[key] == nil || events[key] == event, "\(page): \(line)")
        events[key] = event
      }
    }
    #expect(events.count > 10)
  }
}
