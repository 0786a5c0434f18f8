import Shared

/// Finds out whether the address that a node advertises leads to it. It connects there as a client
/// does, with a token that nobody else has, and looks whether that token arrives at this process.
///
/// Not every failure means that players cannot come: the network may let nobody in from inside, and
/// behind a proxy that speaks TLS nothing can be seen. Only another server's reply is certain.
final class AddressCheck {
  enum Finding: Equatable {
    case unknown
    case arrived
    /// Another server has replied.
    case otherServer
    /// Nobody can connect from here, for a reason.
    case unreachable(String)
  }

  /// How long to wait for a reply.
  static let replyTime: Duration = .seconds(3)
  /// The time between two attempts: while all is well, and after a failure.
  static let interval: Duration = .seconds(1)
  static let retryInterval: Duration = .seconds(5)
  /// The check ends after this number of attempts without a failure: an address that leads to
  /// several servers in turn does not reach this one each time.
  static let attempts = 3
  /// Up to this number of failed connections is ignored: at the start a proxy may not know this
  /// node yet.
  static let maxFailures = 2
  private static let maxReply = 65_536

  var onChange: (Finding) -> Void = { _ in }
  private(set) var finding = Finding.unknown
  private let place: RedisAddress.Place
  private let timers: any Timers
  private let connect: RedisLink.Connect
  /// Lets the next resume with an id be reported.
  private let expect: (_ id: String, _ arrived: @escaping () -> Void) -> Void
  private let random: RandomSource
  private var good = 0
  private var failures = 0
  private var cancel: () -> Void = {}
  private var timer: LoopTimer?
  private var connection: (any Connection)?
  private var reply: [UInt8] = []
  private var hasArrived = false

  /// Returns `nil` if `address` is not `HOST:PORT`.
  init?(
    _ address: String, timers: any Timers, random: RandomSource,
    connect: @escaping RedisLink.Connect,
    expect: @escaping (_ id: String, _ arrived: @escaping () -> Void) -> Void
  ) {
    guard let place = RedisAddress.Place(address[...], defaultPort: 7_777) else { return nil }
    self.place = place
    self.timers = timers
    self.random = random
    self.connect = connect
    self.expect = expect
  }

  deinit { stop() }

  func start() {
    hasArrived = false
    reply = []
    cancel = connect(place) { [weak self] result in
      guard let self else { return }
      cancel = {}
      switch result {
      case .failure(let error): end(with: .unreachable(error.description))
      case .success(let connection): ask(connection)
      }
    }
  }

  func stop() {
    cancel()
    cancel = {}
    timer?.cancel()
    connection?.delegate = nil
    connection?.reset()
    connection = nil
  }

  private func ask(_ connection: any Connection) {
    self.connection = connection
    connection.delegate = self
    connection.passesGate = true
    let id = random.letters(Session.idLength)
    expect(id) { [weak self] in self?.hasArrived = true }
    var line: [UInt8] = []
    CommandEncoder.append(.resume(token: id + Token(random).text, seq: nil), to: &line)
    connection.send(line.span)
    timer = timers.schedule(after: Self.replyTime) { [weak self] in self?.end(with: .unknown) }
  }

  private func end(with result: Finding) {
    stop()
    let result = hasArrived ? .arrived : result
    switch result {
    case .arrived, .unknown:
      (good, failures) = (good + 1, 0)
      if result == .arrived || good >= Self.attempts { change(to: result) }
    case .otherServer:
      (good, failures) = (0, 0)
      change(to: result)
    case .unreachable:
      (good, failures) = (0, failures + 1)
      if failures > Self.maxFailures { change(to: result) }
    }
    guard good < Self.attempts else { return }
    timer = timers.schedule(after: good > 0 ? Self.interval : Self.retryInterval) {
      [weak self] in self?.start()
    }
  }

  /// After another server has replied, one arrival here is not enough.
  private func change(to new: Finding) {
    if finding == .otherServer, good < Self.attempts { return }
    guard new != finding else { return }
    finding = new
    onChange(new)
  }
}

extension AddressCheck: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    for index in bytes.indices { reply.append(bytes[index]) }
    if hasArrived { return end(with: .arrived) }
    guard reply.count <= Self.maxReply else { return end(with: .unknown) }
    let text = String(decoding: reply, as: UTF8.self)
    guard text.contains(#""code":"unknownToken""#) else { return }
    // The token may have arrived at this process, which has sent this reply.
    end(with: .otherServer)
  }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    self.end(with: .unknown)
  }
}
