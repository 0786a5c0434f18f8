import Foundation
import Testing

@testable import Server

@Suite struct LogTests {
  @Test(arguments: [nil, .warning, .info, .debug, .trace] as [Log.Level?])
  func `a line at a level that is off is neither written nor built`(most: Log.Level?) {
    var lines: [String] = []
    var built = 0
    let log = Log(
      Log.Options(level: most), now: { Date(timeIntervalSince1970: 0) },
      sink: { lines.append(String(decoding: $0, as: UTF8.self)) })
    func fields() -> LogFields {
      built += 1
      return [:]
    }
    for level in Log.Level.allCases { log.write(level, "happened", fields()) }
    let on = Log.Level.allCases.filter { $0.rawValue <= most?.rawValue ?? -1 }
    #expect(lines == on.map { "1970-01-01T00:00:00.000Z \($0) happened\n" })
    #expect(built == on.count)
    #expect(Log.Level.allCases.filter(log.shows) == on)
    log.report("asked", [:])
    #expect(lines.last == "1970-01-01T00:00:00.000Z info asked\n")
  }

  @Test func `the level can be changed for all copies of the log`() {
    var lines: [String] = []
    let log = Log(
      Log.Options(level: .info), now: { Date(timeIntervalSince1970: 0) },
      sink: { lines.append(String(decoding: $0, as: UTF8.self)) })
    let copy = log
    log.level = .debug
    copy.write(.debug, "happened")
    #expect(lines.count == 1)
    log.level = nil
    copy.write(.warning, "happened")
    #expect(lines.count == 1)
    #expect(copy.level == nil)
  }
}
