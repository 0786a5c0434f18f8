import Shared

/// One way to attack the server from one address.
struct Attack {
  let name: String
  /// What the attacker does, for a person.
  let about: String
  /// Without any the server has its default limits.
  var serverArguments: [String] = []
  /// Carried out one after the other, each for the time of an attack. Without any the probe is all
  /// that happens.
  var phases: [(AttackerContext) -> any Attacker] = []
  var makeProbe: ((HonestContext) -> any Probe)?
  /// Whether the usual honest clients play meanwhile.
  var hasPopulation = true
  var thresholds = Thresholds()
}

/// What must hold during an attack. Sizes are in bytes.
struct Thresholds {
  /// A number at once, and a number a second after that.
  struct Rate {
    let burst: Int
    let perSecond: Int

    func atMost(in seconds: Double) -> Int { burst + Int(Double(perSecond) * seconds) }
  }

  /// How long an honest ping or login may take, beyond what the echo took at the same time.
  static let delay = Duration.milliseconds(250)
  static let peakMemory = 400_000_000
  /// What the server may keep once it is quiet, and how long it has to give the rest back.
  static let quietMemory = 64_000_000
  static let quietTime = Duration.seconds(15)
  /// Matches that one address may hold: a tenth of the default limit.
  static let matches = 1_000
  /// What one attacker may add to the log.
  static let log = Rate(burst: 250_000, perSecond: 100_000)
  /// Remarks of one client to one player.
  static let remarks = Rate(burst: 10, perSecond: 5)
  /// Invitations that may stand for one player.
  static let invitations = 20
  /// Descriptors of the server that belong neither to the attacker nor to the population.
  static let spareDescriptors = 100
  /// Beyond this an attack is cut short, so that it does not hurt the machine.
  static let fatalMemory = 3_000_000_000

  /// Whether memory must be given back after the attack.
  var givesMemoryBack = false
  /// Processor time of the server for each line of the attacker, which includes what the server
  /// does for honest clients meanwhile, in steps of `ProcessorSpeed`.
  var lineCost: Int?
  /// Descriptors that the attacker may hold: the default limit on connections of an address.
  var descriptors = 1_000
}

extension Attack {
  /// All attacks, in the order in which they are carried out.
  static var all: [Attack] { costs + connections + people + stalls + floods }

  static func flood(_ plan: Flood.Plan) -> (AttackerContext) -> any Attacker {
    { Flood(plan, context: $0) }
  }

  static func churn(_ plan: ConnectionChurn.Plan) -> (AttackerContext) -> any Attacker {
    { ConnectionChurn(plan, context: $0) }
  }

  /// A login under a name of its own for each connection.
  static let logIn: @Sendable (Int) -> [UInt8] = { Array("login attacker-\($0)\n".utf8) }

  /// Sessions that lose their connection as soon as their match has begun.
  static func droppedMatches(
    atMost count: Int = AttackerContext.maxConnections
  ) -> (AttackerContext) -> any Attacker {
    churn(
      ConnectionChurn.Plan(
        bytes: { Array("login dropped-\($0)\nstart bot\n".utf8) },
        until: .received(["gameDidStart", "error", "bye"]), maxConnections: count))
  }
}
