import Foundation
import Shared

/// What the operator decides at one node holds at all of them: bans, mutes and the greeting are
/// kept in the engine, and announcements and kicks reach the others within about a second.
final class ClusterOperator: OperatorStore {
  /// What the operator of another node wants to happen once.
  struct Order: Codable, Equatable {
    var announcement: String?
    /// The name of a player.
    var kick: String?
    var reason: String?
    /// Whether that player, if the connection is lost in a match, comes back with the password.
    var keepsSeat: Bool?
    /// What other nodes are to do and to reply.
    var question: ClusterQuestion?
    /// A match that was given to the node `to`.
    var take: String?
    var to: String?

    var text: String { String(decoding: RecordEncoder().payload(self), as: UTF8.self) }
  }

  /// Called with what was decided at another node.
  var onChange: (OperatorRecord) -> Void = { _ in }
  var onOrder: (Order) -> Void = { _ in }
  private let engine: any Redis
  /// When the tools have last worked on the engine; `nil` if they never have.
  private(set) var lastArchive: Date?
  private(set) var lastBackup: Date?
  /// Called with what a follower has said last; `nil` if none ever has.
  var onFollower: (_ word: String?) -> Void = { _ in }
  /// The version of the decisions that are known here; `nil` before the first look.
  private var version: Int?
  /// The number of the last order that was carried out.
  private var lastOrder: Int?

  init(engine: any Redis) {
    self.engine = engine
  }

  /// Looks whether something has changed. Called after each renewal.
  func look() {
    engine.ask(
      "MGET", RedisKey.decisionsVersion, "orders", RedisKey.lastArchive, RedisKey.lastBackup,
      RedisKey.follower
    ) { [weak self] reply in
      guard let self, let words = reply?.elements, words.count == 5 else { return }
      (lastArchive, lastBackup) = (Date(milliseconds: words[2]), Date(milliseconds: words[3]))
      onFollower(words[4].text)
      if words[0].number ?? 0 != version { read() }
      readOrders(upTo: words[1].number ?? 0)
    }
  }

  private func read() {
    engine.ask("MGET", RedisKey.decisionsVersion, RedisKey.decisions) { [weak self] reply in
      guard let self, let words = reply?.elements, words.count == 2 else { return }
      let isNew = version != nil || words[0].number != nil
      version = words[0].number ?? 0
      guard isNew else { return }
      let record = words[1].text.flatMap {
        try? JSONDecoder().decode(OperatorRecord.self, from: Data($0.utf8))
      }
      onChange(record ?? OperatorRecord())
    }
  }

  private func readOrders(upTo number: Int) {
    guard let last = lastOrder, number > last else {
      // The first look; or the engine has lost the last ones.
      lastOrder = number
      return
    }
    lastOrder = number
    let numbers = (max(last + 1, number - 99)...number).map { String($0) }
    var commands = RedisCommands()
    commands.add(["HMGET", "orderTexts"] + numbers)
    engine.send(commands, confirmed: .never) { [weak self] replies in
      for text in replies?.first?.elements ?? [] {
        guard let text = text.text,
          let order = try? JSONDecoder().decode(Order.self, from: Data(text.utf8))
        else { continue }
        self?.onOrder(order)
      }
    }
  }

  /// Tells the other nodes. `answer` gets false if the engine has not taken it.
  func send(_ order: Order, answer: @escaping (Bool) -> Void) {
    engine.run(.order, order.text) { [weak self] reply in
      guard let self, let number = reply?.number else { return answer(false) }
      // It was carried out here already.
      if lastOrder == number - 1 { lastOrder = number }
      answer(true)
    }
  }

  func write(_ record: OperatorRecord, answer: @escaping (OperatorFailure?) -> Void) {
    let text = String(decoding: RecordEncoder().payload(record), as: UTF8.self)
    engine.run(.decide, String(version ?? 0), text) { [weak self] reply in
      guard let self else { return }
      switch reply?.number {
      case let number? where number > 0:
        version = number
        answer(nil)
      case .some:
        read()
        answer(.overtaken)
      case nil: answer(.notKept("the engine does not answer"))
      }
    }
  }
}

extension Date {
  /// A time in milliseconds since 1970, as the engine has it; `nil` if it has none.
  fileprivate init?(milliseconds reply: RedisReply) {
    guard let number = reply.number else { return nil }
    self.init(timeIntervalSince1970: TimeInterval(number) / 1_000)
  }
}

extension RedisScript {
  /// Replaces what the operator has decided: the version that was known, the new decisions.
  /// Returns the new version, or 0 if the version was another.
  static let decide = RedisScript(
    name: "decide",
    text: """
      if (redis.call('GET', 'operatorVersion') or '0') ~= ARGV[1] then return 0 end
      redis.call('SET', 'operator', ARGV[2])
      return redis.call('INCR', 'operatorVersion')
      """)

  /// Adds an order, and returns its number. The last 100 are kept.
  static let addOrder = """
    local function order(text)
      local number = redis.call('INCR', 'orders')
      redis.call('HSET', 'orderTexts', number, text)
      redis.call('HDEL', 'orderTexts', number - 100)
      return number
    end

    """

  static let order = RedisScript(name: "order", text: addOrder + "return order(ARGV[1])")
}
