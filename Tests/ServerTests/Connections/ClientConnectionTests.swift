import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ClientConnectionTests {
  private let fixture = LobbyFixture()
  private let ann: SessionFixture
  private let connection: ConnectionMock

  init() throws {
    ann = try SessionFixture("ann", in: fixture)
    connection = ann.connection
  }

  @Test func `lines get their replies in order, however they are split`() {
    for letter in "ping\n \nhelp ping\n{\"type\":\"ping\",\"id\":4}\n" {
      connection.receive(String(letter))
    }
    let lines = connection.takeLines()
    #expect(lines.count == 3)
    #expect(lines.first == #"{"type":"pong"}"#)
    #expect(lines.last == #"{"type":"pong","re":4}"#)
  }

  @Test func `with little unsent output commands do not wait`() {
    connection.unsent = ClientOutlet.softLimit
    connection.receive("ping\nping\n")
    #expect(connection.takeLines().count == 2)
    #expect(connection.isReading)
    #expect(fixture.clock.next == nil)
  }

  @Test func `after a successful flush commands do not wait`() {
    connection.unsent = ClientOutlet.softLimit + 1
    connection.takenByFlush = 1
    connection.receive("ping\nping\n")
    #expect(connection.takeLines().count == 2)
    #expect(connection.flushCallCount == 1)
    #expect(connection.isReading)
  }

  @Test func `with much unsent output commands wait until it has been read`() {
    connection.unsent = ClientOutlet.softLimit + 1
    connection.receive("ping\nhelp ping\nping\npi")
    #expect(connection.takeLines() == [#"{"type":"pong"}"#])
    #expect(!connection.isReading)
    #expect(fixture.clock.next == ClientConnection.readTimeout)
    connection.unsent = 0
    connection.delegate?.connectionDidDrain(connection)
    #expect(connection.takeLines().count == 2)
    #expect(connection.isReading)
    #expect(fixture.clock.next == nil)
    connection.receive("ng\n")
    #expect(connection.takeLines() == [#"{"type":"pong"}"#])
  }

  @Test func `commands that have waited may have to wait once more`() {
    connection.unsent = ClientOutlet.softLimit + 1
    connection.receive("ping\nping\nping\n")
    for _ in 0..<2 {
      #expect(connection.takeLines().count == 1)
      #expect(!connection.isReading)
      fixture.clock.advance(by: ClientConnection.readTimeout - .milliseconds(1))
      connection.delegate?.connectionDidDrain(connection)
    }
    #expect(connection.takeLines().count == 1)
    #expect(connection.closeCallCount == 0)
  }

  @Test func `a client that does not read in time is disconnected`() {
    connection.unsent = ClientOutlet.softLimit + 1
    connection.receive("ping\nping\n")
    fixture.clock.advance(by: ClientConnection.readTimeout - .milliseconds(1))
    #expect(connection.closeCallCount == 0)
    #expect(connection.resetCallCount == 0)
    fixture.clock.advance(by: .milliseconds(1))
    #expect(connection.resetCallCount == 1)
    #expect(connection.takeLines().count == 1)
    #expect(fixture.lobby.allSessions.isEmpty)
    #expect(fixture.clock.next == nil)
  }

  @Test func `beyond the hard limit a client is reset at the end of the turn`() {
    connection.unsent = ClientOutlet.hardLimit + 1
    ann.session.write(.pong)
    ann.session.write(.pong)
    #expect(connection.resetCallCount == 0)
    fixture.clock.advance(by: .zero)
    #expect(connection.resetCallCount == 1)
    #expect(connection.takeLines().count == 2)
    #expect(fixture.lobby.allSessions.isEmpty)
  }

  @Test func `a paused connection that fails leaves no timer`() {
    connection.unsent = ClientOutlet.softLimit + 1
    connection.receive("ping\nping\n")
    connection.delegate?.connectionDidEnd(
      connection, with: .failed(SystemError(call: "recv", code: 104)))
    #expect(fixture.clock.next == nil)
    #expect(fixture.lobby.allSessions.isEmpty)
    #expect(connection.closeCallCount == 1)
  }

  @Test func `others can continue after some lines of one client`() {
    let count = ClientConnection.maxBatchLines
    connection.receive(String(repeating: "ping\n", count: 2 * count + 1))
    #expect(connection.takeLines().count == count)
    #expect(!connection.isReading)
    fixture.clock.advance(by: .zero)
    #expect(connection.takeLines().count == count + 1)
    #expect(connection.isReading)
    #expect(fixture.clock.next == nil)
  }

  @Test func `others can continue after a few long lines of one client`() {
    let line = "ping" + String(repeating: " ", count: ProtocolLimits.maxCommandLine - 4) + "\n"
    connection.receive(String(repeating: line, count: 5))
    #expect(connection.takeLines().count == 2)
    #expect(!connection.isReading)
    fixture.clock.advance(by: .zero)
    #expect(connection.takeLines().count == 3)
    #expect(connection.isReading)
    #expect(fixture.clock.next == nil)
  }

  @Test func `after bye nothing is written, read or closed again`() {
    connection.receive("quit\nping\n")
    ann.client.close(with: .bye(.shutdown))
    ann.session.write(.pong)
    #expect(connection.takeLines().count == 1)
    #expect(connection.closeCallCount == 1)
  }
}
