import Foundation
import Shared

/// What `--metrics` serves: `/metrics` for Prometheus, `/healthz` and `/readyz`.
final class Monitoring {
  /// For how long a page is served again. However many requests come, making pages takes no more
  /// than a small share of the processor.
  static let pageTime: Duration = .milliseconds(100)

  /// Returns why no game may begin, as a sentence for people; `nil` if games may begin.
  var whyNotReady: () -> String? = { "The server is starting." }
  /// Returns what the operator has to correct although games may begin; `nil` if there is nothing.
  var note: () -> String? = { nil }
  private let serverLog: ServerLog
  private let metrics: Metrics
  private let games: [GameInfo]
  private let timers: any Timers
  private let start: Date
  /// The last page, and when it was made.
  private var page: (text: String, time: Duration)?

  /// `start` is when the process was started.
  init(
    _ metrics: Metrics, games: GameRegistry, serverLog: ServerLog, timers: any Timers, start: Date
  ) {
    self.metrics = metrics
    self.games = games.games.map(\.info)
    self.serverLog = serverLog
    self.timers = timers
    self.start = start
  }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let answer: () -> HTTPResponse
    switch request.path {
    case "/metrics": answer = metricsPage
    case "/healthz": answer = { HTTPResponse(.ok, sentence: "The server is running.") }
    case "/readyz": answer = readiness
    default:
      return HTTPResponse(.notFound, sentence: "There are only /metrics, /healthz and /readyz.")
    }
    guard ["GET", "HEAD"].contains(request.method) else {
      return HTTPResponse(.methodNotAllowed, sentence: "Only GET and HEAD are possible.")
    }
    return answer()
  }

  private func readiness() -> HTTPResponse {
    if let reason = whyNotReady() { return HTTPResponse(.unavailable, sentence: reason) }
    return HTTPResponse(.ok, sentence: "New games may begin.\(note().map { " \($0)" } ?? "")")
  }

  private func metricsPage() -> HTTPResponse {
    HTTPResponse(metricsText, contentType: PrometheusText.contentType)
  }

  var metricsText: String {
    if let page, timers.now < page.time + Self.pageTime { return page.text }
    let text =
      MetricsPage(
        games: games, serverLog: serverLog, metrics: metrics,
        isReady: whyNotReady() == nil, process: ProcessFigures(), processStart: start
      ).text
    page = (text, timers.now)
    return text
  }
}
