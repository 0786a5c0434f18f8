import Shared

/// The command line.
struct AttackOptions {
  enum Action {
    /// Attack servers that this program starts, and measure.
    case test(AttackOptions)
    /// Attack a server that runs already, and measure nothing.
    case attack(Attack, port: UInt16, time: Duration)
    case list
    case help
  }

  var server = ""
  var attacks = Attack.all
  /// How long each phase of each attack lasts.
  var time: Duration = .seconds(20)

  static let help = """
    Usage: Attack SERVER [--for TIME] [--only NAME ...]
           Attack --attacker NAME --port PORT [--for TIME]

    For each attack: starts the server program SERVER, lets honest clients play on it, attacks it
    from one address, and measures what the honest clients notice and what the server spends. Exits
    with 1 if a threshold was exceeded.

      --for TIME       how long each attack lasts (default: 20s)
      --only NAME      carry out this attack only; may be repeated
      --attacker NAME  only attack, without measuring, a server that runs already
      --port PORT      the port of that server on 127.0.0.1
      --list           list the attacks
      --help           show this

    """

  static func parse(_ arguments: [String]) throws(UsageError) -> Action {
    var options = AttackOptions()
    var only: [Attack] = []
    var attacker: Attack?
    var port: UInt16?
    var reader = ArgumentReader(arguments)
    while let argument = try reader.next() {
      switch argument {
      case .option("--for"): options.time = try reader.duration(of: "--for") ?? options.time
      case .option("--only"): only.append(try attack(try reader.value(of: "--only")))
      case .option("--attacker"): attacker = try attack(try reader.value(of: "--attacker"))
      case .option("--port"): port = try reader.port(of: "--port", in: 1...65_535)
      case .option("--list"): return .list
      case .option("--help"): return .help
      case .option(let name): throw UsageError("There is no option \(name).")
      case .operand(let path): options.server = path
      }
    }
    if let attacker {
      guard let port else { throw UsageError("Which port?") }
      return .attack(attacker, port: port, time: options.time)
    }
    guard !options.server.isEmpty else { throw UsageError("Which server program?") }
    if !only.isEmpty { options.attacks = only }
    return .test(options)
  }

  private static func attack(_ name: String) throws(UsageError) -> Attack {
    guard let attack = Attack.all.first(where: { $0.name == name }) else {
      throw UsageError("There is no attack \(name); to see all of them, use --list.")
    }
    return attack
  }
}
