import RIBs
import Shared
import TestSupport

@testable import Client

/// The server of the page and its tabs in memory, an honest one beside the connections of a
/// stranger. Whatever the stranger sends, nothing traps, the answers are
/// valid, the honest tab goes on, and nothing is left at the end.
final class FuzzedPage {
  private let network = MemoryNetwork(seed: 1)
  private let clock = ManualTimers()
  private let thinker = ManualBotThinker()
  private let server: WebServer
  private let honest: MemoryConnection
  private var stranger: MemoryConnection
  /// What the stranger has received on the current connection.
  private var received: [UInt8] = []
  /// The secret of the stranger's last tab.
  private var secret = ""
  private var fault: String?

  /// `input` is what the stranger sends: raw bytes to a new connection, or messages of a page, each
  /// up to a byte below 4 that stands for an action; see `act`.
  static func fault(of input: [UInt8], isStructured: Bool) -> String? {
    weak var remains: WebServer?
    var pending: Duration?
    do {
      let page = FuzzedPage()
      remains = page.server
      if isStructured { page.converse(input) } else { page.send(input) }
      if let fault = page.end() { return fault }
      pending = page.clock.next
    }
    guard pending == nil else { return "A timer is left." }
    return remains == nil ? nil : "The server outlives its end."
  }

  /// Returns what a stranger receives who sends messages.
  static func answer(to messages: String) -> String {
    let page = FuzzedPage()
    page.converse(Array(messages.utf8))
    return String(decoding: page.received, as: UTF8.self)
  }

  private init() {
    let (clock, thinker) = (clock, thinker)
    server = WebServer(
      timers: clock, settings: WebSettings(maxTabs: 4),
      random: RandomSource(SeededGenerator(seed: 1))
    ) { [network] in MemoryTab(over: network, clock: clock, thinker: thinker) }
    honest = Self.connect(to: server, over: network)
    stranger = Self.connect(to: server, over: network)
    honest.send((Array(WebFuzzTarget.handshake.utf8) + Self.text("h24 80  /")).span)
    settle()
    _ = honest.takeReceived()
  }

  private static func connect(
    to server: WebServer, over network: MemoryNetwork
  ) -> MemoryConnection {
    let (near, far) = network.connect()
    server.accept(near)
    return far
  }

  private static func text(_ text: String) -> [UInt8] { WebFuzzTarget.frame(1, Array(text.utf8)) }

  private func settle() {
    network.run()
    thinker.answer()
    // A screen draws up to 33 times a second.
    clock.advance(by: .milliseconds(40))
    network.run()
    received += stranger.takeReceived()
  }

  private func send(_ bytes: [UInt8]) {
    stranger.send(bytes.span)
    settle()
    check()
  }

  private func converse(_ input: [UInt8]) {
    send(Array(WebFuzzTarget.handshake.utf8))
    for part in input.split(omittingEmptySubsequences: false, whereSeparator: { $0 < 4 }) {
      stranger.send(WebFuzzTarget.frame(1, part).span)
      stranger.send(Self.text("a").span)
      settle()
      if part.endIndex < input.endIndex { act(input[part.endIndex]) }
      guard fault == nil else { return }
    }
    check()
  }

  private func act(_ action: UInt8) {
    switch action {
    case 0: break
    case 1: network.pass(.seconds(1), on: clock)
    case 2: network.pass(.seconds(100), on: clock)
    default:
      check()
      stranger.close()
      settle()
      stranger = Self.connect(to: server, over: network)
      received = []
      stranger.send((Array(WebFuzzTarget.handshake.utf8) + Self.text("h24 80 \(secret) /")).span)
      settle()
    }
  }

  /// Checks what the stranger has received.
  private func check() {
    guard !received.isEmpty else { return }
    let text = String(decoding: received, as: UTF8.self)
    guard text.hasPrefix("HTTP/1.1 "), let end = text.utf8.firstRange(of: "\r\n\r\n".utf8) else {
      return fault = "No HTTP: \(text)"
    }
    guard text.hasPrefix("HTTP/1.1 101 ") else { return }
    let head = text.utf8.distance(from: text.utf8.startIndex, to: end.upperBound)
    var rest = received.dropFirst(head)
    while let first = rest.first {
      guard let (payload, next) = Self.frame(in: rest) else { return fault = "Half a frame" }
      rest = next
      switch first {
      case 0x81:
        guard let text = String(validating: payload, as: UTF8.self), let kind = text.first,
          "ktsbwfxelyni".contains(kind),
          "bs".contains(kind) || text.unicodeScalars.allSatisfy(Self.isAllowed)
        else { return fault = "\(payload) is no message" }
        if kind == "k" { secret = String(text.dropFirst()) }
      case 0x88, 0x89, 0x8A: break
      default: return fault = "\(first) is no frame of a server"
      }
    }
  }

  /// A frame of the screen has escape sequences and the bell.
  private static func isAllowed(_ character: Unicode.Scalar) -> Bool {
    character.value >= 0x20 && character.value != 0x7F || [0x07, 0x1B].contains(character.value)
  }

  private static func frame(
    in bytes: ArraySlice<UInt8>
  ) -> (payload: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    let start = bytes.startIndex
    guard bytes.count >= 2 else { return nil }
    var (length, head) = (Int(bytes[start + 1]), 2)
    if length == 126 {
      guard bytes.count >= 4 else { return nil }
      (length, head) = (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]), 4)
    }
    // The largest screen is below 64 KiB.
    guard length < 65_536, bytes.count >= head + length else { return nil }
    return (bytes[start + head..<start + head + length], bytes[(start + head + length)...])
  }

  /// The honest tab types a letter, and the server ends.
  private func end() -> String? {
    _ = honest.takeReceived()
    if !honest.isCut { honest.send((Self.text("a") + Self.text("tx")).span) }
    settle()
    let frames = honest.takeReceived()
    // It is silent while time passes, and its connection ends.
    if clock.now < WebPage.timeout, !frames.contains(UInt8(ascii: "x")) {
      return fault ?? "The honest tab shows nothing."
    }
    server.close()
    for connection in [honest, stranger] { connection.close() }
    network.run()
    // A screen may still hold keys for a moment.
    clock.advance(by: Screen.holdTime)
    return fault
  }
}

/// The process of a tab, in memory. Its tree is for local games.
final class MemoryTab: TabProcess {
  let connection: any Connection
  private let far: MemoryConnection
  private var window: WebWindow?
  /// How it was opened.
  private(set) var visit: WebVisit?

  init(over network: MemoryNetwork, clock: ManualTimers, thinker: ManualBotThinker) {
    let (near, far) = network.connect()
    (connection, self.far) = (near, far)
    window = WebWindow(far, timers: clock) { [weak self] window, visit in
      self?.visit = visit
      return FuzzedTab(window, visit, clock: clock, thinker: thinker)
    } didEnd: { [weak self] in
      self?.window = nil
    }
  }

  /// As after an error, too.
  func kill() { far.cut() }

  /// Reads nothing any more.
  func hang() { far.isReading = false }
}

extension MemoryNetwork {
  /// Lets time pass. The processes of tabs answer meanwhile.
  func pass(_ time: Duration, on clock: ManualTimers) {
    let end = clock.now + time
    while clock.now < end {
      clock.advance(by: min(WebTab.pingTime, end - clock.now))
      run()
    }
  }
}

/// What the tree of a tab needs, for local games.
final class FuzzedTab: RootDependency {
  let viewFactory: any ViewFactory
  let random = RandomSource(SeededGenerator(seed: 1))
  let botThinker: any BotThinker
  let timers: any Timers
  let gameService: any GameService
  let workers: [any Working] = []
  let presetNames: [String]
  let isAttended = true
  let launchAction: LaunchAction?
  let gameChoice: GameChoice
  let replay: Replay? = nil
  let replayGames = { GameRegistry(GameInfo.all, over: $0) }
  let scoreStream: any ScoreStream

  init(_ window: WebWindow, _ visit: WebVisit, clock: ManualTimers, thinker: ManualBotThinker) {
    viewFactory = ScreenViewFactory(screen: window.screen)
    botThinker = thinker
    timers = clock
    presetNames = visit.kept.map { [$0.name] } ?? []
    launchAction = visit.url?.action
    gameChoice = visit.url?.choice ?? GameChoice()
    let scores = MutableScoreStream()
    scoreStream = scores
    let games = GameInfo.all.map { Game($0, makeBuilder: TicTacToeBuilder.init) }
    gameService = LocalGameService(
      games: GameRegistry(games), scoreStream: scores, asksForBoth: false)
  }
}
