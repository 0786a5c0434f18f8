import Shared

/// The requests of players who wait for anyone, or for a friend with a code, at all nodes. The
/// engine only knows where they wait. A player who fits goes there, and the match begins at that
/// node as if both had always been there.
final class ClusterRequests {
  /// For how long a request is offered to players of this node only.
  static let localTime: Duration = .milliseconds(20)
  /// For how long nobody else is sent to a player, until the one who was sent has arrived.
  static let arrivalTime: Duration = .seconds(10)

  /// Called with a player who waits here, when another one waits elsewhere who has waited longer.
  var onMatch: (Session, PendingRequest, Route) -> Void = { _, _, _ in }
  /// Returns whether a player may go to another node now.
  var mayGo: (Session, Route) -> Bool = { _, _ in true }
  private let engine: any Redis
  private let outbox: RedisOutbox
  private let timers: any Timers
  private let life: () -> Life?
  /// By the numbers of the requests.
  private var waiting: [Int: (session: Session, request: PendingRequest)] = [:]

  init(
    engine: any Redis, outbox: RedisOutbox, timers: any Timers, life: @escaping () -> Life?
  ) {
    self.engine = engine
    self.outbox = outbox
    self.timers = timers
    self.life = life
  }

  /// Makes a request known to the other nodes, and looks for one of theirs. The answer says whether
  /// the player waits here, or goes to another node. If the engine does not answer, the player
  /// waits here, and the request is offered again.
  func add(
    _ request: PendingRequest, of session: Session, answer: @escaping (Route) -> Void
  ) {
    waiting[request.number] = (session, request)
    request.onStop = { [weak self] in self?.remove(request, of: session) }
    if let code = request.code { return publish(code, answer: answer) }
    guard !request.isHeld else { return answer(.here) }
    timers.schedule(after: Self.localTime) { [weak self] in
      guard let self, waiting[request.number] != nil else { return }
      offer(request, of: session, answer: answer)
    }
  }

  /// Called each second: a request that the engine has lost is offered again, and so is one that
  /// nobody else was sent to because of somebody who has not come.
  func repeatAll() {
    for (_, (session, request)) in waiting.sorted(by: { $0.key < $1.key }) {
      if let code = request.code {
        publish(code) { _ in }
      } else if !request.isHeld {
        offer(request, of: session) { [weak self] route in
          guard let self, waiting[request.number] != nil, case .elsewhere = route else { return }
          onMatch(session, request, route)
        }
      }
    }
  }

  /// Looks for the player who has opened a code that is not open here.
  func find(code: String, answer: @escaping (Route) -> Void) {
    engine.run(.findCode, code.lowercased(), confirmed: .never) { [weak self] reply in
      guard let self, let life = life(), let parts = reply?.elements else {
        return answer(.refused(.engineIsAway))
      }
      guard let other = parts.first?.text.flatMap(Life.init), other != life,
        let address = parts.last?.text
      else { return answer(.here) }
      answer(.elsewhere(other, address: address))
    }
  }

  private func publish(_ code: String, answer: @escaping (Route) -> Void) {
    guard let life = life() else { return answer(.refused(.engineIsAway)) }
    engine.run(.openCode, code, life.text) { reply in
      switch reply?.number {
      case 1: answer(.here)
      default: answer(.refused(.engineIsAway))
      }
    }
  }

  private func offer(
    _ request: PendingRequest, of session: Session, answer: @escaping (Route) -> Void
  ) {
    guard let life = life() else { return answer(.here) }
    engine.run(
      .offer, request.game.info.id, session.id, life.text,
      String(Self.arrivalTime.milliseconds)
    ) { [weak self] reply in
      guard let self, let parts = reply?.elements,
        let other = parts.first?.text.flatMap(Life.init), let address = parts.last?.text
      else { return answer(.here) }
      let route = Route.elsewhere(other, address: address)
      // The player waits here until the next look finds somebody else.
      answer(mayGo(session, route) ? route : .here)
    }
  }

  private func remove(_ request: PendingRequest, of session: Session) {
    waiting[request.number] = nil
    guard let life = life() else { return }
    if let code = request.code {
      outbox.post(.closeCode, [code, life.text])
    } else {
      outbox.post("ZREM", "w:\(request.game.info.id)", "\(session.id) \(life.text)")
      outbox.post("DEL", "v:\(session.id)")
    }
  }
}

extension RedisScript {
  /// Offers a request for anyone: game, session, life, for how long a partner is kept for somebody
  /// who was sent there. Returns the life and the address of the one who has waited longest at
  /// another node, or 1 if the request stands.
  static let offer = RedisScript(
    name: "offer",
    text: addressOfLife + """
      local key, mine = 'w:' .. ARGV[1], ARGV[2] .. ' ' .. ARGV[3]
      if redis.call('EXISTS', 'v:' .. ARGV[2]) == 1 then return 1 end
      for _, member in ipairs(redis.call('ZRANGE', key, 0, 63)) do
        local session, life = string.match(member, '^(%S+) (.+)$')
        local place = life ~= ARGV[3] and address(life)
        if place then
          if redis.call('SET', 'v:' .. session, ARGV[2], 'NX', 'PX', ARGV[4]) then
            redis.call('ZREM', key, mine)
            return {life, place}
          end
        elseif life ~= ARGV[3] then
          redis.call('ZREM', key, member)
        end
      end
      if not redis.call('ZSCORE', key, mine) then
        redis.call('ZADD', key, redis.call('INCR', 'requests'), mine)
      end
      return 1
      """)

  /// Makes a code known: code, life. Returns 0 if another node has the same. It is repeated each
  /// second as long as the code is open.
  static let openCode = RedisScript(
    name: "openCode",
    text: addressOfLife + """
      local key = 'c:' .. ARGV[1]
      local life = redis.call('GET', key)
      if life and life ~= ARGV[2] and address(life) then return 0 end
      redis.call('SET', key, ARGV[2], 'EX', 3600)
      return 1
      """)

  static let closeCode = RedisScript(
    name: "closeCode",
    text: """
      local key = 'c:' .. ARGV[1]
      if redis.call('GET', key) == ARGV[2] then redis.call('DEL', key) end
      return 1
      """)

  /// Returns the life where a code is open, and its address, which is null if the life has ended;
  /// an empty array if there is no such code.
  static let findCode = RedisScript(
    name: "findCode",
    text: addressOfLife + """
      local life = redis.call('GET', 'c:' .. ARGV[1])
      if not life then return {} end
      return {life, address(life)}
      """)
}
