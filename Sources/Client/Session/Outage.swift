import Shared

/// A time without a connection: what the client knows of it, and for how long it tries to
/// reconnect.
struct Outage {
  /// How long a person in the lobby waits for a name that the client's own lost connection may
  /// still hold, or one that was told to move. The form comes next, where the person can try again.
  static let ghostTimeInLobby: Duration = .seconds(10)

  /// See `RemoteGameService.Settings`.
  let isAttended: Bool
  /// How long the server keeps the session of a disconnected player.
  var resumeTime = RemoteGameService.defaultResumeTime
  /// Whether the server was down since the connection was lost.
  var hasServerStopped = false

  init(isAttended: Bool) {
    self.isAttended = isAttended
  }

  /// A script waits until its session is certainly over, a player for as long as the server may
  /// take to notice a loss: the match is worth it.
  func patience(isInMatch: Bool, ownsName: Bool) -> Reconnector.Patience {
    let end = resumeTime + Reconnector.detectionDelay
    guard isAttended else {
      return Reconnector.Patience(
        ghostTime: end, isOwnName: ownsName, strangerTime: resumeTime, timeout: end)
    }
    return Reconnector.Patience(
      ghostTime: isInMatch ? Reconnector.detectionDelay : Self.ghostTimeInLobby,
      isOwnName: ownsName, timeout: nil)
  }

  /// How the connection was lost for this time, as far as this client can know.
  func absence(for time: Duration) -> RemoteSession.Absence {
    guard time < resumeTime else { return .tooLong }
    return hasServerStopped ? .restart : .short
  }
}
