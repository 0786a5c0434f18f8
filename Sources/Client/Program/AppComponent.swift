import RIBs
import Shared

/// What this run of the client is made from.
struct ClientContext {
  let options: ClientOptions
  let environment: [String: String]
  /// The password in the file of a script.
  var filePassword: String?
  /// With it, connections use TLS.
  var tls: TLSContext?
  /// A match to show without a server.
  var replay: Replay?
  /// Where the tokens of sessions are; `nil` for a folder of the person's.
  var tokens: (any TokenStore)?
}

/// Provides the dependencies of the client's tree, for games on a server or in this process.
final class AppComponent: RootDependency {
  let viewFactory: any ViewFactory
  let random = RandomSource()
  let botThinker: any BotThinker
  let timers: any Timers
  let gameService: any GameService
  let workers: [any Working]
  let presetNames: [String]
  let isAttended: Bool
  let launchAction: LaunchAction?
  let gameChoice: GameChoice
  let replay: Replay?
  let replayGames = { GameRegistry(AppComponent.games, over: $0) }
  private let mutableScoreStream = MutableScoreStream()
  /// The games that this client can play. A game with its own views or rules also needs its own
  /// builders below.
  private static let games = GameInfo.all

  init(
    _ context: ClientContext, loop: EventLoop, viewFactory: any ViewFactory,
    connectTime: RemoteGameService.ConnectTime, isAttended: Bool
  ) {
    let options = context.options
    self.viewFactory = viewFactory
    timers = loop
    botThinker = BackgroundBotThinker(loop: loop)
    self.isAttended = isAttended
    presetNames = options.presetNames(isAttended: isAttended)
    launchAction = options.launchAction
    gameChoice = options.choice
    replay = context.replay
    if options.isLocal || replay != nil {
      let games = Self.games.map { Game($0, makeBuilder: TicTacToeBuilder.init) }
      gameService = LocalGameService(
        games: GameRegistry(games), scoreStream: mutableScoreStream,
        asksForBoth: !options.startsAgainstBot)
      workers = []
    } else {
      let ssh = SSHSession(in: context.environment)
      let tls = context.tls
      let header = options.sendsProxy ? ssh.proxyHeader : nil
      let link = ServerLink(timers: loop) { host, port, answer in
        loop.connect(host: host, port: port, tls: tls) { result in
          if let header, case .success(let connection) = result { connection.send(header.span) }
          answer(result)
        }
      }
      let match = RemoteMatch(link: link)
      let tokens =
        context.tokens
        ?? TokenFile(
          folder: options.tokenFolder(in: context.environment, ssh), takesOver: options.isKiosk)
      // Somebody who comes back to a session waits for its server at the form.
      let isBack =
        isAttended
        && presetNames.contains {
          tokens.take(for: TokenOwner(address: options.address, name: $0.trimmed)) != nil
        }
      gameService = RemoteGameService(
        link: link, match: match, games: GameRegistry(Self.games, over: match),
        scoreStream: mutableScoreStream, random: random, tokens: tokens,
        settings: RemoteGameService.Settings(
          address: options.address, isAddressFixed: options.isKiosk,
          friendLine: options.friendLine, connectTime: isBack ? .atLogin : connectTime,
          isAttended: isAttended, filePassword: context.filePassword))
      workers = [link]
    }
  }

  var scoreStream: any ScoreStream { mutableScoreStream }
}

extension ClientOptions {
  var address: ServerAddress { ServerAddress(host: host, port: port, usesTLS: usesTLS) }

  /// The folder of the tokens; `nil` if none is kept. People who share an account have a folder for
  /// each key of theirs, and none without a key: there, a token would belong to anybody who types
  /// the name.
  func tokenFolder(in environment: [String: String], _ ssh: SSHSession) -> String? {
    let folder = UserFolder.state.path(in: environment)
    guard isKiosk else { return folder }
    guard let folder, let key = ssh.keyFolder else { return nil }
    return "\(folder)/\(key)"
  }

  /// Whether the first game needs no second person.
  var startsAgainstBot: Bool {
    if case .start(.bot, _, _) = launchAction { true } else { false }
  }

  /// Returns the names to log in with. A script with a launch action and no name lets the server
  /// choose one, because its input belongs to the game.
  func presetNames(isAttended: Bool) -> [String] {
    if let name { return [name] }
    return isAttended || isLocal || launchAction == nil ? [] : [""]
  }
}
