import Shared

/// What the client's tree gets from the program: play at a server, or here.
final class AppComponent: RootDependency {
  let views: any Views
  let random = RandomSource()
  let timers: any Timers
  let play: any Play
  let workers: [any Working]
  let presetNames: [String]
  let isAttended: Bool
  let firstWish: FirstWish?
  private let mutableScoreStream = MutableScoreStream()
  /// What can be played with this client. A game with views or rules of its own also needs its
  /// builders below.
  private static let games = [GameInfo.ticTacToe]

  init(
    _ options: ClientOptions, loop: EventLoop, views: any Views,
    connectTime: RemotePlay.ConnectTime, isAttended: Bool, environment: [String: String]
  ) {
    self.views = views
    timers = loop
    self.isAttended = isAttended
    presetNames = options.presetNames(isAttended: isAttended)
    firstWish = options.firstWish
    if options.isLocal {
      let games = Self.games.map { Game($0, makeBuilder: TicTacToeBuilder.init) }
      play = LocalPlay(games: GameRegistry(games), scoreStream: mutableScoreStream)
      workers = []
    } else {
      let link = ServerLink(timers: loop, connect: loop.connect)
      let match = RemoteMatch(link: link)
      let games = Self.games.map { game in
        Game(game) { dependency, game in
          RemoteTicTacToeBuilder(dependency: dependency, game: game, match: match)
        }
      }
      play = RemotePlay(
        link: link, match: match, games: GameRegistry(games), scoreStream: mutableScoreStream,
        timers: loop, random: random, tokens: TokenFile(folder: TokenFile.folder(in: environment)),
        address: options.address, connectTime: connectTime, isAttended: isAttended)
      workers = [link]
    }
  }

  var scoreStream: any ScoreStream { mutableScoreStream }
}

extension ClientOptions {
  /// Where the server is.
  var address: ServerAddress { ServerAddress(host: host, port: port) }

  /// Without a name a script that wants a game, or to watch one, has the server pick one: what it
  /// types is for that.
  func presetNames(isAttended: Bool) -> [String] {
    if let name { return [name] }
    return isAttended || isLocal || firstWish == nil ? [] : [""]
  }
}
