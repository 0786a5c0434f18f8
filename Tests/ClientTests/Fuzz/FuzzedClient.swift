import RIBs
import Shared
import TestSupport

@testable import Client

/// The client's whole tree in memory, between a server that sends mutated lines and a user who
/// presses random keys. Whatever both do, the client must not trap, must write only what a terminal
/// understands, must send only valid commands, and must end on quit.
final class FuzzedClient {
  /// The most commands that the client may send for each line that it reads or each action of the
  /// user.
  private static let maxCommands = 6

  private let network = MemoryNetwork(seed: 1)
  private let clock = ManualTimers()
  private let ending = RootListenerMock()
  private let match: RemoteMatch
  private var root: (any RootRouting)?
  private let gameService: RemoteGameService
  private let user: FuzzedUser
  private let transcript: [String]
  private var mutator: LineMutator
  private var random: SeededGenerator
  /// The server's end of the current connection.
  private var line: LineClient?
  private weak var near: MemoryConnection?
  /// The lines that were sent since the client's commands were last counted.
  private var linesSent = 0
  /// The commands without an answer.
  private var pendingRequests: [Request] = []
  private var fault: String?
  private var news = MatchNews()
  private var invitations: [Invitation] = []
  private var status = LobbyStatus.lobby
  private var coverage: Set<Coverage> = []

  /// The situations that the sessions must reach: a fuzzer that misses them finds nothing there.
  enum Coverage: CaseIterable {
    case lobby, waiting, invited, game, chat, absence, betweenGames, watching, lost, loggedOut
    case account, history, leaderboard, replay
  }

  /// Plays the session of a seed and adds the situations that it reached to `coverage`. Returns a
  /// sentence about a fault, or `nil`.
  static func fault(
    seed: UInt64, _ mode: InterfaceMode, _ transcripts: [[String]],
    coverage: inout Set<Coverage>
  ) -> String? {
    weak var remains: (any RootRouting)?
    do {
      let client = FuzzedClient(seed: seed, mode, transcripts)
      remains = client.root
      if let fault = client.run() { return fault }
      coverage.formUnion(client.coverage)
    }
    return remains == nil ? nil : "The client outlives its end."
  }

  private init(seed: UInt64, _ mode: InterfaceMode, _ transcripts: [[String]]) {
    random = SeededGenerator(seed: seed)
    mutator = LineMutator(transcripts: transcripts, seed: seed)
    transcript = transcripts.randomElement(using: &random) ?? []
    user = FuzzedUser(mode, seed: seed, clock: clock)
    var connect: ServerLink.Connect = { _, _, _ in CompositeCancellable() }
    let link = ServerLink(timers: clock) { connect($0, $1, $2) }
    let match = RemoteMatch(link: link)
    self.match = match
    let games = GameInfo.all.map { game in
      Game(game) { dependency, game in
        RemoteTicTacToeBuilder(dependency: dependency, game: game, match: match)
      }
    }
    let scoreStream = MutableScoreStream()
    gameService = RemoteGameService(
      link: link, match: match, games: GameRegistry(games), scoreStream: scoreStream,
      random: RandomSource(SeededGenerator(seed: seed)), tokens: TokenFile(folder: nil),
      settings: RemoteGameService.Settings(
        address: .example, connectTime: mode == .plain ? .atLaunch : .atLogin, isAttended: true))
    let dependency = TestDependency(
      viewFactory: user.viewFactory, clock: clock, gameService: gameService,
      scoreStream: scoreStream, workers: [link],
      presetNames: ["ann"], isAttended: true, launchAction: nil)
    let root = RootBuilder(dependency: dependency).build(withListener: ending)
    self.root = root as? any RootRouting
    connect = { [weak self] _, _, answer in
      self?.connect(answer)
      return CompositeCancellable()
    }
    _ = gameService.news.subscribe { [weak self] in self?.news = $0 }
    _ = gameService.lobby.invitations.subscribe { [weak self] in self?.invitations = $0 }
    _ = gameService.lobby.status.subscribe { [weak self] in self?.status = $0 }
    root.launch(from: user.window)
  }

  private func connect(_ answer: (Result<any Connection, LinkError>) -> Void) {
    guard Int.random(in: 0..<8, using: &random) > 0 else {
      return answer(.failure(.cannotConnect("Connection refused")))
    }
    let (near, far) = network.connect()
    line = LineClient(far, on: network)
    self.near = near
    pendingRequests = []
    answer(.success(near))
    send(transcript[0], isFirst: true)
  }

  private func run() -> String? {
    settle()
    for text in transcript.dropFirst(2) where isGoingOn {
      if root?.children.first is any LoggedOutRouting { user.logIn() }
      settle()
      answerAll()
      send(text)
      settle()
      user.act()
      settle()
      if Int.random(in: 0..<6, using: &random) == 0 { seeAMatchAgain() }
      disturbConnection()
      let pause = [0, 0, 0, 20, 200, 600, 3_000, 11_000].randomElement(using: &random) ?? 0
      clock.advance(by: .milliseconds(pause))
      settle()
    }
    user.quit()
    settle()
    clock.advance(by: RemoteGameService.quitTimeout)
    settle()
    if fault == nil, ending.exitReports.isEmpty { fault = "It does not end." }
    root?.interactable.deactivate()
    root = nil
    clock.advance(by: .seconds(3_600))
    return fault
  }

  /// In the lobby these keys open the history, and show its first match again.
  private func seeAMatchAgain() {
    for key in [Key.character("h"), .enter, .right, .right] {
      user.press(key)
      settle()
      answerAll()
    }
  }

  /// Sometimes cuts or ends the connection, or lets the server stop or resume reading.
  private func disturbConnection() {
    switch Int.random(in: 0..<60, using: &random) {
    case 0: line?.cut()
    case 1: line?.end()
    case 2: line?.stopReading()
    case 3: line?.readOn()
    default: break
    }
  }

  private var isGoingOn: Bool { fault == nil && ending.exitReports.isEmpty }

  /// Delivers everything that is in transit, and checks the client's commands and output.
  private func settle() {
    network.run()
    clock.advance(by: .zero)
    user.settle()
    network.run()
    var commands = 0
    for text in line?.takeLines() ?? [] {
      let decoder = CommandDecoder()
      do throws(LineError) {
        if let request = try decoder.decode(Array(text.utf8).span) {
          pendingRequests.append(request)
        }
      } catch {
        fault = "It sends what is no command: \(text)"
      }
      commands += 1
    }
    if commands > Self.maxCommands * (1 + linesSent) {
      fault = "It sends \(commands) commands for \(linesSent) lines."
    }
    linesSent = 0
    if let near, near.unsent > 2 * ServerLink.maxUnsent {
      fault = "It keeps \(near.unsent) bytes for a server that does not read."
    }
    if let wrong = user.fault { fault = wrong }
    recordCoverage()
  }

  /// Records the current situation, and checks that the client's state is bounded.
  private func recordCoverage() {
    if news.remarks.count > MatchNews.maxRemarks || news.absences.count > 2
      || invitations.count > InvitationList.maxInvitations
    {
      fault = "It keeps more and more: \(news), \(invitations)."
    }
    if root?.currentGame != nil { coverage.insert(.game) }
    if root?.children.first is any LoggedOutRouting { coverage.insert(.loggedOut) }
    switch root?.children.first?.children.first {
    case is any AccountRouting: coverage.insert(.account)
    case is any HistoryRouting: coverage.insert(.history)
    case is any LeaderboardRouting: coverage.insert(.leaderboard)
    default: break
    }
    if !news.remarks.isEmpty { coverage.insert(.chat) }
    if !news.absences.isEmpty { coverage.insert(.absence) }
    if news.lostSince != nil { coverage.insert(.lost) }
    if !invitations.isEmpty { coverage.insert(.invited) }
    guard root?.children.first is any OffGameRouting else { return }
    switch status {
    case .lobby: coverage.insert(.lobby)
    case .waiting: coverage.insert(.waiting)
    case .betweenGames: coverage.insert(.betweenGames)
    case .watching: coverage.insert(.watching)
    }
  }

  /// Answers most pending commands, often correctly.
  private func answerAll() {
    for request in pendingRequests {
      guard let answer = answer(to: request.command) else { continue }
      pendingRequests.removeAll { $0.id == request.id }
      send(answer, re: request.id, isFirst: request.command != .sync(seq: nil))
      settle()
      guard case .replay = request.command else { continue }
      coverage.insert(.replay)
      for line in Self.storedMatch { send(line, isFirst: true) }
      settle()
    }
  }

  /// The lines after `replayDidStart`.
  private static let storedMatch = [
    #"{"type":"gameDidStart","match":"m","seq":1,"game":"tictactoe","players":{"X":"ann","O":"bob"},"rows":3,"cols":3,"inARow":3,"board":["...","...","..."],"turn":"X","score":{"X":0,"O":0,"draws":0}}"#,
    #"{"type":"boardDidChange","match":"m","seq":2,"cells":[{"row":1,"col":1,"mark":"X"}],"turn":"O","hash":"afa687df"}"#,
    #"{"type":"didSay","match":"m","seq":3,"from":"bob","mark":"O","text":"Hello."}"#,
    #"{"type":"gameDidEnd","match":"m","seq":4,"result":"win","winner":"X","reason":"resigned","score":{"X":1,"O":0,"draws":0}}"#,
    #"{"type":"matchDidEnd","match":"m","seq":5,"reason":"left","by":"O","score":{"X":1,"O":0,"draws":0}}"#,
    #"{"type":"replayDidEnd","match":"m"}"#,
  ]

  private func answer(to command: Command) -> String? {
    let name = #""name":"ann","token":"AAAAAAAAAAAAAAAAAAAAAA""#
    switch command {
    case .login: return #"{"type":"didLogin","re":1,\#(name)}"#
    case .resume: return #"{"type":"didLogin","re":1,\#(name),"place":"playing"}"#
    case .ping: return #"{"type":"pong","re":1}"#
    case .list(.players):
      return
        #"{"type":"players","re":1,"items":[{"name":"ann","place":"lobby"},{"name":"bob","place":"waiting","game":"tictactoe"}]}"#
    case .list(.matches):
      return
        #"{"type":"matches","re":1,"items":[{"match":"m","game":"tictactoe","players":{"X":"bob","O":"eve"},"running":true}]}"#
    case .sync, .watch:
      return
        #"{"type":"matchSnapshot","re":1,"you":"X","match":"m","seq":15,"game":"tictactoe","players":{"X":"ann","O":"bob"},"rows":3,"cols":3,"inARow":3,"board":["X..","...","..."],"turn":"O","score":{"X":0,"O":0,"draws":1},"left":59800,"online":{"X":true,"O":false},"over":false}"#
    case .open: return #"{"type":"didQueue","re":1,"game":"gomoku","code":"k7w2mx"}"#
    case .decline(let opponent):
      return
        #"{"type":"invitationDidEnd","re":1,"from":"\#(opponent ?? "bob")","game":"tictactoe"}"#
    case .register: return #"{"type":"didRegister","re":1,"name":"ann"}"#
    case .unregister: return #"{"type":"didUnregister","re":1,"name":"ann"}"#
    case .history:
      return
        #"{"type":"history","re":1,"items":[{"id":7,"match":"m","game":"tictactoe","players":{"X":"ann","O":"bob"},"result":"win","winner":"X","reason":"line","moves":5,"ago":61000}],"next":7}"#
    case .leaderboard:
      return
        #"{"type":"leaderboard","re":1,"game":"tictactoe","items":[{"rank":1,"name":"ann","rating":1612,"provisional":true,"won":5,"lost":2,"drawn":1}]}"#
    case .replay:
      return
        #"{"type":"replayDidStart","re":1,"match":"m","players":{"X":"ann","O":"bob"},"game":"tictactoe","last":5}"#
    case .quit: return #"{"type":"bye","re":1,"code":"quit","message":"Goodbye."}"#
    default:
      return Bool.random(using: &random)
        ? #"{"type":"error","re":1,"code":"noGame","message":"The game is over."}"# : nil
    }
  }

  /// Sends a line, mutated or not. An important line (`isFirst`) is mutated less often.
  private func send(_ text: String, re: RequestID? = nil, isFirst: Bool = false) {
    var text = text
    if let re, var tree = JSONTree(text) {
      tree["re"] = .leaf(Self.text(of: re))
      text = tree.text
    } else if let request = pendingRequests.first, var tree = JSONTree(text), tree["re"] != nil {
      tree["re"] = .leaf(Self.text(of: request.id))
      text = tree.text
      pendingRequests.removeFirst()
    }
    let isTrue = Int.random(in: 0..<10, using: &random) < (isFirst ? 9 : 5)
    for bytes in isTrue ? [Array(text.utf8)] : mutator.mutate(text) {
      line?.send(madeConsistent(bytes) + [0x0A])
      linesSent += 1
      network.run()
    }
  }

  private static func text(of id: RequestID?) -> String {
    switch id {
    case .integer(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case nil: "0"
    }
  }

  /// Gives most events of a match the next number, and a change the hash of the client's board, so
  /// that the client accepts them.
  private func madeConsistent(_ bytes: [UInt8]) -> [UInt8] {
    var decoder = EventDecoder()
    guard let last = match.last, Int.random(in: 0..<6, using: &random) > 0,
      let received = try? decoder.decode(bytes.span)
    else { return bytes }
    let event: Event
    switch received.event {
    case .match(let matchEvent):
      event = .match(
        MatchEvent(match: last.match, seq: last.seq + 1, madeConsistent(matchEvent.body)))
    case .matchSnapshot(let snapshot):
      event = .matchSnapshot(
        MatchSnapshot(
          match: last.match, seq: last.seq + 1, snapshot.state, online: snapshot.online,
          spectators: snapshot.spectators, outcome: snapshot.outcome))
    default: return bytes
    }
    var line: [UInt8] = []
    EventEncoder.append(event, re: received.re, to: &line)
    return line.dropLast()
  }

  private func madeConsistent(_ body: MatchEvent.Body) -> MatchEvent.Body {
    guard case .boardDidChange(let change, let left) = body, var board = root?.currentGame?.board,
      board.apply(change)
    else { return body }
    return .boardDidChange(
      Change(change.placement, turn: change.turn, open: change.open, hash: board.hash),
      timeLeft: left)
  }
}
