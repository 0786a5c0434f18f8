import Shared

/// What the page counts, for its metrics.
struct WebFigures {
  /// Why a visitor or a message was rejected.
  enum Rejection: String, CaseIterable {
    case connections
    case tabs
    /// There are too many tabs of one address.
    case address
    /// The browser asks for a host that is not this one.
    case host
    /// No request that can be read, or a WebSocket of another page.
    case request
    /// The page breaks its protocol, or sends too much.
    case messages
    /// The browser does not read.
    case unread
  }

  var tabs = 0
  /// Tabs that have ended by an error, or because they did not answer.
  var faults = 0
  var frames = 0
  var bytes = 0
  var keys = 0
  /// Keys beyond the rate of a page, which were dropped.
  var droppedKeys = 0
  var refused: [Rejection: Int] = [:]

  /// Returns the page of metrics.
  func text(openTabs: Int, openConnections: Int) -> String {
    var page = PrometheusText()
    page.add(.gauge, "tictactoe_web_tabs", openTabs, "Tabs, also those whose page may come back.")
    page.add(
      .gauge, "tictactoe_web_connections", openConnections, "Open connections of browsers.")
    page.add(.counter, "tictactoe_web_tabs_total", tabs, "Tabs since the start.")
    page.add(
      .counter, "tictactoe_web_faults_total", faults,
      "Tabs that have ended by an error, or because they did not answer.")
    page.add(.counter, "tictactoe_web_frames_total", frames, "Frames that were sent.")
    page.add(.counter, "tictactoe_web_bytes_total", bytes, "Bytes of the frames.")
    page.add(.counter, "tictactoe_web_keys_total", keys, "Keys and clicks that were carried out.")
    page.add(
      .counter, "tictactoe_web_dropped_keys_total", droppedKeys,
      "Keys that a page has sent too fast.")
    page.add(
      .counter, "tictactoe_web_refused_total", by: "reason",
      Rejection.allCases.map { ($0.rawValue, refused[$0] ?? 0) },
      "Visitors and messages that were rejected.")
    return page.text
  }
}
