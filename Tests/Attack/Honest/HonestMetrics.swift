import Shared

/// What honest clients noticed of an attack.
final class HonestMetrics {
  /// Pings and logins that begin while this is true are measured.
  var isMeasuring = false
  private(set) var pings = Latencies()
  private(set) var logins = Latencies()
  /// Games that were played to their end.
  private(set) var games = 0
  /// Harm that honest play does not explain: how often, by reason.
  private(set) var lostGames: [String: Int] = [:]
  private(set) var closedConnections: [String: Int] = [:]
  private(set) var refusals: [String: Int] = [:]
  /// Lines that do not follow from those before them.
  private(set) var badLines: [String] = []
  /// Remarks that each player received.
  private(set) var remarks: [String: Int] = [:]

  func pingDidTake(_ time: Duration) { pings.add(time) }
  func loginDidTake(_ time: Duration) { logins.add(time) }
  func gameDidEnd() { games += 1 }
  func didLoseGame(_ reason: String) { lostGames[reason, default: 0] += 1 }
  func wasClosed(_ reason: String) { closedConnections[reason, default: 0] += 1 }
  func wasRefused(_ code: String) { refusals[code, default: 0] += 1 }
  func didReceiveRemark(_ name: String) { remarks[name, default: 0] += 1 }
  func didReceiveBadLine(_ description: String) { badLines.append(description) }
}
