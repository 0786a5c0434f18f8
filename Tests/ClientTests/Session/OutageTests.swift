import Shared
import Testing

@testable import Client

@Suite struct OutageTests {
  @Test func `a script waits until the server has certainly ended its session`() {
    var outage = Outage(isAttended: false)
    outage.resumeTime = .seconds(20)
    let patience = outage.patience(isInMatch: true, ownsName: false)
    #expect(patience.ghostTime == .seconds(20) + Reconnector.detectionDelay)
    #expect(patience.timeout == patience.ghostTime)
    #expect(patience.strangerTime == .seconds(20))
  }

  @Test func `a person waits longer for a match than in the lobby, and never gives up`() {
    let outage = Outage(isAttended: true)
    let (match, lobby) = (
      outage.patience(isInMatch: true, ownsName: true),
      outage.patience(isInMatch: false, ownsName: true)
    )
    #expect(match.ghostTime == Reconnector.detectionDelay)
    #expect(lobby.ghostTime == Outage.ghostTimeInLobby)
    #expect(match.timeout == nil && lobby.timeout == nil)
    #expect(match.isOwnName)
  }

  @Test func `an absence is too long even if the server was down`() {
    var outage = Outage(isAttended: true)
    outage.resumeTime = .seconds(20)
    #expect(outage.absence(for: .seconds(19)) == .short)
    outage.hasServerStopped = true
    #expect(outage.absence(for: .seconds(19)) == .restart)
    #expect(outage.absence(for: .seconds(20)) == .tooLong)
  }
}
