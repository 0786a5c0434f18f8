import TestSupport
import Testing

@testable import Server

@Suite struct RedisSettingsWatchTests {
  private let clock = ManualTimers()
  private let log = LogRecorder()
  private let engine = Engine()

  private final class Engine {
    var finding = RedisCheck.Finding.good(notes: [])
    var checks = 0
  }

  private func watch(after notes: [String] = []) -> RedisSettingsWatch {
    RedisSettingsWatch(after: notes, timers: clock, log: log.log(.info)) { [engine] answer in
      engine.checks += 1
      answer(engine.finding)
    }
  }

  private func connect(_ watch: RedisSettingsWatch, to finding: RedisCheck.Finding) {
    engine.finding = finding
    watch.didConnect()
    clock.advance(by: RedisSettingsWatch.delay)
  }

  @Test func `notes on a new primary are logged once, and that they are no longer true`() {
    let watch = watch()
    connect(watch, to: .good(notes: ["One.", "Two."]))
    connect(watch, to: .good(notes: ["One.", "Two."]))
    #expect(
      log.lines == ["warning engineSettings: One.", "warning engineSettings: Two."])
    connect(watch, to: .good(notes: []))
    #expect(
      log.lines.last == "info engineSettings: The engine is set up as it should be again.")
    #expect(engine.checks == 3)
  }

  @Test func `what the start has said is not said again`() {
    let watch = watch(after: ["One."])
    connect(watch, to: .good(notes: ["One."]))
    #expect(log.lines == [])
  }

  @Test func `settings with which a node would not start are only logged`() {
    let watch = watch()
    connect(watch, to: .wrong("The engine has appendonly no.\n  appendonly yes"))
    connect(watch, to: .incomplete("There are no replicas."))
    connect(watch, to: .noAnswer)
    #expect(
      log.lines == [
        "warning engineSettings: The engine has appendonly no.   appendonly yes",
        "warning engineSettings: There are no replicas.",
      ])
  }

  @Test func `of several connections in a row the last one is checked`() {
    let watch = watch()
    watch.didConnect()
    clock.advance(by: RedisSettingsWatch.delay - .milliseconds(1))
    watch.didConnect()
    clock.advance(by: RedisSettingsWatch.delay - .milliseconds(1))
    #expect(engine.checks == 0)
    clock.advance(by: .milliseconds(1))
    #expect(engine.checks == 1)
  }
}
