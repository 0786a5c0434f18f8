import Shared

/// What this server wants to know of the servers that are one server with it to their clients: who
/// has a name, a session, a match or a code, and who else waits. Answers come on the loop's thread,
/// at once or later.
///
/// `NoOtherServers` answers for a server that stands alone, `Cluster` for one of several. Nothing
/// else depends on which of them there is.
protocol OtherServers: AnyObject {
  /// What this server has, and what becomes of it. Set when the tree becomes active.
  var host: (any OtherServersHost)? { get set }
  /// The timers of matches. They stand still while nobody can be told what a match does.
  var matchTimers: any Timers { get }
  /// When a client may try again, because nobody may be served now; `nil` if clients are served.
  var retry: Duration? { get }
  /// Why no game may begin now, as a sentence for people; `nil` if games may begin.
  var whyNotReady: String? { get }
  /// After how many milliseconds clients may try to go on, when this server stops. Each client gets
  /// a random one.
  var restartTime: ClosedRange<Int> { get }

  /// Returns the id of a new session, by which all servers know it. It is empty where there are no
  /// others.
  func newSessionID() -> String
  /// Takes a name for a new session with an id.
  func takeName(_ name: PlayerName, for id: String, answer: @escaping CommandAnswer<Void>)
  /// A session has ended, or has never begun.
  func endSession(_ id: String, of name: PlayerName)
  /// A session that should be here is not.
  func forgetSession(_ id: String)
  /// Looks where the session of a token is, and what it brings along if it has just arrived here.
  func find(
    session id: String, _ secret: Token,
    answer: @escaping ((route: Route, arrival: Arrival)) -> Void)
  /// Nobody was told where the session of a token is: its connection has ended meanwhile.
  func forgetRoute(_ route: Route, of id: String, _ secret: Token)
  /// Looks where a match is that is not here.
  func find(match: String, answer: @escaping (Route) -> Void)
  /// Looks where a player is who is not here.
  func find(player: String, answer: @escaping (Route) -> Void)
  /// Looks where the match is of a player whose name is taken.
  func findMatch(of name: PlayerName, answer: @escaping (Route) -> Void)
  /// Looks where the player is who has opened a code that is not open here.
  func find(code: String, answer: @escaping (Route) -> Void)
  /// Makes a request known to the others, until it is stopped. The answer says whether the player
  /// waits here, or goes to a player who fits.
  func offer(
    _ request: PendingRequest, of session: Session, answer: @escaping (Route) -> Void)
  /// Sends a session to another server, where its player resumes it. `command` is carried out
  /// there.
  func handOver(
    _ session: Session, by route: Route, _ command: Command?,
    answer: @escaping (Departure) -> Void)
  /// A session that was to go to another server stays here.
  func takeBack(_ session: Session)
  /// Reads the lists of players and matches of the others.
  func readLists(answer: @escaping ([Event]) -> Void)
  /// This server stops. The others may take over its matches.
  func leave()
}

/// What other servers ask of this one.
protocol OtherServersHost: AnyObject {
  var sessions: [Session] { get }
  /// Returns the players or matches of this server.
  func list(_ what: Listing) -> Event
  /// Takes up a session whose player is about to resume it. Calls `done` when it is here.
  func take(_ player: ArrivingPlayer, done: @escaping () -> Void)
  /// A player waits here, and another who fits has waited longer elsewhere.
  func follow(_ request: PendingRequest, of session: Session, by route: Route)
  /// Goes on with matches whose server has gone. Returns the ids of those that cannot go on,
  /// because one of the players has logged in again meanwhile.
  func takeUp(_ matches: [StoredMatch]) -> [String]
  /// Another server has a match of this one.
  func giveUp(match: String)
  /// Gives up a match that is going to another server, at an address where its players are sent.
  /// Returns its spectators, who are in the lobby then.
  func give(match: String, to address: String) -> [Session]
  /// Sends a session that was handed over to another server there.
  func release(_ session: Session, to address: String)
  /// Other servers may have all matches and sessions of this one.
  func standDown()
}
