import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct AddressCheckTests {
  private final class World {
    var completions: [(Result<any Connection, ConnectError>) -> Void] = []
    var findings: [AddressCheck.Finding] = []
    var expected: (id: String, didArrive: () -> Void)?
  }

  private let clock = ManualTimers()
  private let world = World()
  private let check: AddressCheck

  init() throws {
    let world = world
    check = try #require(
      AddressCheck(
        "a.example.org:7779", timers: clock, random: RandomSource(),
        connect: { _, completion in
          world.completions.append(completion)
          return {}
        }, expect: { world.expected = ($0, $1) }))
    check.onChange = { world.findings.append($0) }
    check.start()
  }

  private let unknownToken = #"{"type":"error","code":"unknownToken","message":"…"}"# + "\n"

  /// Lets the next attempt connect, and returns the connection, over which a token was sent.
  private func connect() throws -> ConnectionMock {
    let connection = ConnectionMock()
    try #require(!world.completions.isEmpty)
    world.completions.removeFirst()(.success(connection))
    let id = try #require(world.expected?.id)
    #expect(connection.takeLines().first?.contains(id) == true)
    return connection
  }

  private func fail() throws {
    try #require(!world.completions.isEmpty)
    world.completions.removeFirst()(.failure(.timedOut))
    clock.advance(by: AddressCheck.retryInterval)
  }

  private func arrive() throws {
    let connection = try connect()
    connection.receive(#"{"type":"hello"}"# + "\n")
    world.expected?.didArrive()
    connection.receive(unknownToken)
    clock.advance(by: AddressCheck.interval)
  }

  @Test func `an address that leads here is tried three times`() throws {
    for _ in 1...AddressCheck.attempts { try arrive() }
    #expect(world.findings == [.arrived])
    clock.advance(by: .seconds(600))
    #expect(world.completions.isEmpty)
  }

  @Test func `another server at the address is found, also if it is seldom there`() throws {
    try arrive()
    try connect().receive(#"{"type":"hello"}"# + "\n" + unknownToken)
    #expect(world.findings == [.arrived, .otherServer])
    clock.advance(by: AddressCheck.retryInterval)
    try arrive()
    #expect(check.finding == .otherServer)
    try arrive()
    try arrive()
    #expect(check.finding == .arrived)
  }

  @Test func `an address that nobody reaches is told after three attempts, until it is reached`()
    throws
  {
    try fail()
    try fail()
    #expect(world.findings.isEmpty)
    try fail()
    #expect(world.findings == [.unreachable(ConnectError.timedOut.description)])
    try arrive()
    #expect(check.finding == .arrived)
  }

  @Test func `behind a proxy that speaks TLS nothing is known`() throws {
    for _ in 1...AddressCheck.attempts {
      let connection = try connect()
      connection.delegate?.connectionDidEnd(connection, with: .inputEnded)
      clock.advance(by: AddressCheck.interval)
    }
    #expect(world.findings.isEmpty && check.finding == .unknown)
    #expect(world.completions.isEmpty)
  }

  @Test func `a server that is silent is not waited for without end`() throws {
    _ = try connect()
    clock.advance(by: AddressCheck.replyTime)
    clock.advance(by: AddressCheck.interval)
    #expect(world.completions.count == 1)
  }
}
