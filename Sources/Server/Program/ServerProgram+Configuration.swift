import Foundation
import Shared

extension ServerProgram {
  /// Returns what the operator has to correct although games may begin; `nil` if there is nothing.
  var note: String? {
    let notes = [configurationNote, cluster?.part.addressProblem?.sentence].compactMap(\.self)
    return notes.isEmpty ? nil : notes.joined(separator: " ")
  }

  /// Says that the server does not run with its configuration as it is, and why; `nil` if it does.
  var configurationNote: String? {
    guard let first = configuration.mistakes.first else { return nil }
    let others = configuration.mistakes.count - 1
    return "The configuration has a mistake, so the last good one is in force. \(first)"
      + (others > 0 ? " There \(others == 1 ? "is 1 more" : "are \(others) more")." : "")
  }

  func reportMistakes() {
    for sentence in configuration.mistakes {
      serverLog.log.write(.warning, "configurationWrong", ["text": .words(sentence)])
    }
  }

  /// Keeps what the server runs with for a start that finds a mistake.
  func keepConfiguration() {
    guard let (lastGood, worker) = lastGood else { return }
    let settings = configuration.file
    worker.perform { () -> SystemError? in
      do throws(SystemError) {
        try lastGood.keep(settings, at: Date())
        return nil
      } catch {
        return error
      }
    } then: { [serverLog] error in
      guard let error else { return }
      serverLog.log.write(
        .warning, "configurationNotKept",
        ["path": .text(lastGood.path), "reason": .text(error.reason)])
    }
  }

  /// Reads the configuration file again, and takes up what a running server can.
  ///
  /// - Returns: sentences for people: what has changed, what needs a restart, or what is wrong; and
  ///   whether the settings were taken up.
  @discardableResult
  func reload() -> (sentences: [String], isTaken: Bool) {
    manager?.willReload(at: loop.preciseNow)
    defer { manager?.didReload() }
    do throws(ServerConfigurationError) {
      let changes = try configuration.reload()
      if changes.taken.contains(.logLevel) {
        serverLog.log.level = configuration.options.log.level
      }
      control.apply(configuration.options.settings)
      var sentences = changes.sentences
      if changes.taken.contains(.motd), commands.moderation.motd != nil {
        sentences.append(
          "The greeting stays that of the admin command motd. To take that of the configuration,"
            + " type: motd default")
      }
      for sentence in sentences {
        serverLog.log.write(.info, "reloaded", ["text": .words(sentence)])
      }
      keepConfiguration()
      return (sentences, true)
    } catch {
      reportMistakes()
      return (error.sentences + ["Nothing has changed."], false)
    }
  }
}
