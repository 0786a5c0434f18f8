import Foundation
import Shared

/// Listens for the requests that `Monitoring` answers, from before the data is read until the last
/// games have ended.
final class MonitoringListener {
  private let monitoring: Monitoring
  private let server: HTTPServer
  private let listeners: [TCPListener]

  /// Returns `nil` if there is no endpoint, or nothing is measured.
  ///
  /// - Throws: if the host is unknown, or the server cannot listen.
  init?(
    _ endpoint: Endpoint?, on loop: EventLoop, games: GameRegistry, _ serverLog: ServerLog
  ) throws(StartError) {
    guard let endpoint, let metrics = serverLog.metrics else { return nil }
    let monitoring = Monitoring(
      metrics, games: games, serverLog: serverLog, timers: loop, start: Date())
    let server = HTTPServer(timers: loop) { monitoring.answer($0) }
    self.monitoring = monitoring
    self.server = server
    listeners = try Listening.start(
      on: loop, .addresses(try Listening.addresses(endpoint)), endpoint,
      accept: { server.accept($0) })
    loop.onTurnEnd = { [unowned serverLog, unowned metrics] begin, end in
      metrics.turnDidEnd(from: begin, to: end, lines: serverLog.counters.linesIn)
    }
  }

  /// Writes where it listens to the log.
  func report(to log: Log) {
    for listener in listeners {
      log.write(.info, "servesMetrics", ["on": .text(listener.address.description)])
    }
  }

  /// The server listens for players. `whyNotReady` returns why no game may begin, and `note` what
  /// is wrong although games may begin.
  func didStart(note: @escaping () -> String?, whyNotReady: @escaping () -> String?) {
    monitoring.whyNotReady = whyNotReady
    monitoring.note = note
  }

  var metricsText: String { monitoring.metricsText }

  /// Stops listening, and closes all connections.
  func close() {
    for listener in listeners { listener.close() }
    server.close()
  }
}
