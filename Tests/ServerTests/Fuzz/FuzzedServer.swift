import Shared
import TestSupport

@testable import Server

/// A whole server in memory with two players, and strangers whose bytes come from a fuzzer's
/// input. The two must get the same lines as without the strangers.
struct FuzzedServer {
  /// Replaced by the id of the two players' match. No valid line contains this byte.
  static let match: UInt8 = 0xFC
  /// Replaced by the stranger's last token.
  static let token: UInt8 = 0xFB
  /// Replaced by the code that a stranger got last.
  static let code: UInt8 = 0xFA

  private static let strangers = 3
  private static let moves = ["place 0 0", "place 1 0", "place 0 1", "place 1 1", "place 0 2"]

  private let network = MemoryNetwork(seed: 1)
  private let clock = ManualTimers()
  private let thinker = ManualBotThinker()
  private let root: any RootRouting
  private let control: any ServerControl

  init() {
    let dependency = FuzzDependency(timers: clock, botThinker: thinker)
    (root, control, _) = RootBuilder(dependency: dependency).build()
    control.launch()
    network.whenAtRest = { [clock] in clock.advance(by: .zero) }
  }

  /// Returns a description of the fault; `nil` if there is none.
  static func fault(of input: Span<UInt8>, isStructured: Bool) -> String? {
    weak var remains: (any RootRouting)?
    do {
      let server = FuzzedServer()
      remains = server.root
      if let fault = server.play(isStructured ? structured(input) : raw(input)) { return fault }
    }
    return remains == nil ? nil : "The server outlives its end."
  }

  /// An action of a stranger.
  private enum Act {
    case send([UInt8])
    case cut
    case end
    case wait(Duration)
  }

  private struct Stranger {
    var connection: MemoryConnection?
    /// The received bytes of all connections.
    var heard: [UInt8] = []
  }

  /// Sends the bytes as they are, except `match`, `token` and `code`. `FF` continues with the next
  /// stranger, `FE` cuts the connection, `FD` ends it.
  private static func raw(_ input: Span<UInt8>) -> [(Int, Act)] {
    var acts: [(Int, Act)] = []
    var piece: [UInt8] = []
    var stranger = 0
    for index in input.indices {
      guard input[index] > match else {
        piece.append(input[index])
        continue
      }
      acts.append((stranger, .send(piece)))
      piece = []
      if input[index] < 0xFF { acts.append((stranger, input[index] == 0xFE ? .cut : .end)) }
      stranger = (stranger + 1) % strangers
    }
    return acts + [(stranger, .send(piece))]
  }

  /// Each byte selects a stranger, and a line of the table or another action.
  private static func structured(_ input: Span<UInt8>) -> [(Int, Act)] {
    input.indices.map { index in
      let byte = Int(input[index])
      let (stranger, choice) = (byte % strangers, byte / strangers)
      return switch choice {
      case 0: (stranger, .cut)
      case 1: (stranger, .end)
      case 2: (stranger, .wait(.seconds(1)))
      case 3: (stranger, .wait(.seconds(61)))
      default: (stranger, .send(FuzzLines.all[choice % FuzzLines.all.count]))
      }
    }
  }

  private func play(_ acts: [(Int, Act)]) -> String? {
    let (ann, bob) = (player("ann fuzz"), player("bob fuzz"))
    ann.say("start \"bob fuzz\"")
    let begun = bob.say("start \"ann fuzz\"").last ?? ""
    _ = ann.takeLines()
    let match = Self.lastValue(of: "match", in: Array(begun.utf8))
    var strangers = Array(repeating: Stranger(), count: Self.strangers)
    var moved = 0
    for (index, act) in acts.enumerated() {
      let code = strangers.lazy.map { Self.lastCode(in: $0.heard) }.first { !$0.isEmpty }
      perform(act.1, by: &strangers[act.0], match, code ?? [])
      // The moves are spread over the input.
      while moved < Self.moves.count * (index + 1) / acts.count { move(&moved, ann, bob) }
    }
    for stranger in strangers {
      let heard = stranger.heard + (stranger.connection?.takeReceived() ?? [])
      if let line = LineCheck.firstBadLine(in: heard) { return "A stranger is told \(line)" }
      if let fault = InvitationCheck.fault(in: heard) { return fault }
    }
    let told = (Self.ofTheGame(ann.takeLines()), Self.ofTheGame(bob.takeLines()))
    control.shutDown()
    network.run()
    for person in [ann, bob] { person.cut() }
    for case let connection? in strangers.map(\.connection) { connection.cut() }
    guard told.0 == told.1 else { return "The two are not told the same: \(told)." }
    guard told.0.count == Self.moves.count + 1, told.0.last?.contains("[0,2]") == true else {
      return "The two are told \(told.0)."
    }
    return nil
  }

  private func perform(
    _ act: Act, by stranger: inout Stranger, _ match: [UInt8], _ code: [UInt8]
  ) {
    if case .wait(let time) = act {
      clock.advance(by: time)
      thinker.answer()
      return network.run()
    }
    let connection = stranger.connection ?? connect()
    switch act {
    case .send(let bytes): connection.send(filledIn(bytes, stranger, match, code).span)
    case .cut: connection.cut()
    case .end: connection.close()
    case .wait: break
    }
    network.run()
    stranger.heard += connection.takeReceived()
    let isOver = connection.isClosed || connection.hasPeerEnded
    stranger.connection = isOver ? nil : connection
  }

  private func filledIn(
    _ bytes: [UInt8], _ stranger: Stranger, _ match: [UInt8], _ code: [UInt8]
  ) -> [UInt8] {
    bytes.flatMap { byte in
      switch byte {
      case Self.code: code
      case Self.match: match
      case Self.token: Self.lastValue(of: "token", in: stranger.heard)
      default: [byte]
      }
    }
  }

  /// The value of a string field; empty if there is none.
  private static func lastValue(of field: String, in lines: [UInt8]) -> [UInt8] {
    let name = Array("\"\(field)\":\"".utf8)
    guard let start = lines.indices.last(where: { lines[$0...].starts(with: name) }) else {
      return []
    }
    return Array(lines[(start + name.count)...].prefix { $0 != UInt8(ascii: "\"") })
  }

  /// The code of the last `didQueue`; empty if there is none.
  private static func lastCode(in lines: [UInt8]) -> [UInt8] {
    let queued = lines.split(separator: 0x0A).last {
      $0.starts(with: #"{"type":"didQueue""#.utf8) && !lastValue(of: "code", in: Array($0)).isEmpty
    }
    return queued.map { lastValue(of: "code", in: Array($0)) } ?? []
  }

  private func move(_ moved: inout Int, _ ann: LineClient, _ bob: LineClient) {
    (moved.isMultiple(of: 2) ? ann : bob).sendOnly(Self.moves[moved])
    moved += 1
    network.run()
  }

  /// Removes lines that strangers may cause for the two, such as invitations and chat, and
  /// the numbers, which count those too.
  private static func ofTheGame(_ lines: [String]) -> [String] {
    let others = [#""type":"invit"#, #""type":"didSay""#, #""type":"spectatorsDidChange""#]
    return lines.filter { line in !others.contains { line.contains($0) } }
      .map { line in
        let parts = line.split(separator: #""seq":"#, maxSplits: 1)
        return String(parts[0] + (parts.dropFirst().first?.drop { $0.isNumber } ?? ""))
      }
  }

  private func connect() -> MemoryConnection {
    let (near, far) = network.connect()
    control.accept(far)
    return near
  }

  private func player(_ name: String) -> LineClient {
    let client = LineClient(connect(), on: network)
    client.say("login \"\(name)\"")
    return client
  }
}

private final class FuzzDependency: RootDependency {
  let games = GameRegistry(
    GameInfo.all.map { Game($0, makeBuilder: TicTacToeBuilder.init) })
  let random = RandomSource(SeededGenerator(seed: 1))
  let botThinker: any BotThinker
  let timers: any Timers
  // However long the strangers wait, the two players lose no game.
  let settings = ServerSettings(turn: nil, motd: "Be kind.")
  let serverLog = ServerLog(.silent)

  init(timers: any Timers, botThinker: any BotThinker) {
    self.timers = timers
    self.botThinker = botThinker
  }
}
