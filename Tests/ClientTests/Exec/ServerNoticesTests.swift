import Shared
import Testing

@testable import Client

@Suite struct ServerNoticesTests {
  private static let error = #"{"type":"error","code":"badName","message":"No.","field":"name"}"#

  @Test(arguments: [1, 7, 4_096])
  func `errors and the bye are shown however the bytes are split`(chunk: Int) {
    let lines = [
      #"{"type":"pong"}"#, Self.error, "no line of this protocol", #"{"type":"later"}"#,
      #"{"type":"bye","code":"shutdown","message":"The server stops."}"#,
    ]
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    var notices = ServerNotices()
    var shown: [String] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      let part = Array(bytes[start..<min(start + chunk, bytes.count)])
      notices.read(part.span) { shown.append($0) }
    }
    #expect(shown == [lines[1], lines[4]])
    #expect(notices.goodbye?.code == .shutdown)
    #expect(notices.goodbye?.message == "The server stops.")
  }

  @Test func `control characters in a notice are replaced`() {
    var notices = ServerNotices()
    var shown: [String] = []
    let line = #"{"type":"error","code":"badName","message":"\#u{9B}2J"}"# + "\n"
    notices.read(Array(line.utf8).span) { shown.append($0) }
    #expect(shown.first?.contains("\u{FFFD}2J") == true)
    #expect(notices.goodbye == nil)
  }
}
