import Shared

/// Pairs the players who wait for an opponent: for anyone, for the player whom they have invited,
/// or for a friend with a code. The cost of a `start` does not depend on the number of waiting
/// players.
final class Matchmaker {
  /// The delay before another attempt to pair, if there was no room for the match.
  private static let retry = CommandError.noRoomRetry

  /// Called to begin a match of two players, by their marks; `nil` means the bot.
  var onPair: (PerMark<Session?>, Game) -> Void = { _, _ in }
  /// Returns whether a match may begin now. Called for pairings that no command has just requested.
  var mayPair: () -> Bool = { false }
  private let timers: any Timers
  private let random: RandomSource
  /// How long an invitation stands; `nil` means no limit.
  var inviteWithin: Duration?
  private var requests = 0
  /// The players who wait for a friend, by code.
  private var codes: [String: Session] = [:]
  /// The players who wait for any opponent, by game.
  private var queues: [String: Queue] = [:]

  private struct Queue {
    var players = MatchmakingQueue()
    /// Fires when the next two of them can be paired. Set again when a player enters or leaves the
    /// queue.
    var timer: LoopTimer?
  }

  init(timers: any Timers, random: RandomSource, inviteWithin: Duration?) {
    self.timers = timers
    self.random = random
    self.inviteWithin = inviteWithin
  }

  /// Asks for a game for a player in the lobby. `named` is the wanted opponent; `nil` means anyone:
  /// a player who then waits is told so by `announce`.
  ///
  /// - Throws: `tooFast` if the opponent has declined a moment ago, has unread messages, or has too
  ///   many invitations.
  func start(by session: Session, for named: Session?, _ game: Game) throws(CommandError) {
    let hold = session.earlyLeaves.hold(at: timers.now)
    if let partner = partner(of: session, for: named, game, isHeld: hold > .zero) {
      let byChance = named == nil && partner.request?.opponent == nil
      return pair(partner, session, game, byChance: byChance)
    }
    try named.map { opponent throws(CommandError) in
      try session.checkDeclines(by: opponent, at: timers.now)
      try opponent.checkUnsent(field: "opponent")
      try opponent.checkRoomForInvitation()
    }
    let request = makeRequest(for: named, game)
    if hold > .zero { self.hold(request, of: session, for: hold) }
    if named != nil, let inviteWithin { expire(request, of: session, after: inviteWithin) }
    session.place = .waiting(request)
    if let named {
      announce(request, to: session)
      named.incomingRequests.append(session)
      named.write(invited(by: session, request))
    } else {
      change(game) { $0.add(session) }
    }
  }

  /// Lets a player in the lobby wait for a friend, who joins with a new code. The player is told so
  /// by `announce`.
  func open(by session: Session, _ game: Game) {
    var code = random.letters(ProtocolLimits.codeLength)
    while codes[code] != nil { code = random.letters(ProtocolLimits.codeLength) }
    let request = makeRequest(for: nil, code: code, game)
    codes[code] = session
    session.place = .waiting(request)
  }

  /// Tells a player that a request stands.
  func announce(_ request: PendingRequest, to session: Session) {
    session.write(didQueue(request))
  }

  /// Whether a player of this server has opened a code.
  func isOpen(_ code: String) -> Bool { codes[Self.lowercased(code)] != nil }

  /// Forgets all requests, which are stopped.
  func removeAll() {
    for queue in queues.values { queue.timer?.cancel() }
    queues = [:]
    codes = [:]
  }

  /// Pairs a player in the lobby with the player who has opened a code, which is compared without
  /// regard to ASCII case.
  ///
  /// - Throws: `unknownCode`.
  func join(by session: Session, code: String) throws(CommandError) {
    guard let opener = codes[Self.lowercased(code)], let request = opener.request else {
      throw CommandError(.unknownCode, field: "code")
    }
    pair(opener, session, request.game, byChance: false)
  }

  /// Returns a text with its ASCII letters in lower case.
  private static func lowercased(_ text: String) -> String {
    let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z")
    return String(
      decoding: text.utf8.map { isUpper.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  private func makeRequest(
    for named: Session?, code: String? = nil, _ game: Game
  ) -> PendingRequest {
    requests += 1
    return PendingRequest(game: game, opponent: named, code: code, number: requests)
  }

  private func expire(_ request: PendingRequest, of session: Session, after time: Duration) {
    // Unowned: the request, which the session holds, cancels its timers. A weak reference would
    // slow down every retain and release of a session.
    let timer = timers.schedule(after: time) { [weak self, unowned request, unowned session] in
      self?.refuse(request, of: session, because: .expired)
    }
    request.expiry = (timers.now + time, timer)
  }

  /// Sends a session its own request and the invitations of others again.
  func repeatRequests(to session: Session) {
    if let request = session.request { session.write(didQueue(request)) }
    for requester in session.incomingRequests {
      guard let request = requester.request else { continue }
      session.write(invited(by: requester, request))
    }
  }

  private func didQueue(_ request: PendingRequest) -> Event {
    .didQueue(
      game: request.game.info.id, opponent: request.opponent?.name.text, code: request.code,
      expires: request.timeLeft(at: timers.now))
  }

  private func invited(by requester: Session, _ request: PendingRequest) -> Event {
    .invited(
      from: requester.name.text, game: request.game.info.id,
      expires: request.timeLeft(at: timers.now))
  }

  /// Removes a request. The invited player gets `invitationDidEnd`, unless the game begins.
  func withdraw(_ request: PendingRequest, of session: Session, isAccepted: Bool = false) {
    request.stop()
    if let code = request.code {
      codes[code] = nil
    } else if let named = request.opponent {
      named.incomingRequests.removeAll { $0 === session }
      if !isAccepted {
        named.write(.invitationDidEnd(from: session.name.text, game: request.game.info.id))
      }
    } else {
      change(request.game) { $0.remove(session) }
    }
  }

  /// Ends an invitation that was declined or has expired. Both players are informed, the invited
  /// one first.
  func refuse(_ request: PendingRequest, of requester: Session, because reason: CancelReason) {
    withdraw(request, of: requester)
    requester.place = .lobby
    requester.write(.didCancel(reason: reason))
  }

  /// Cancels all requests that name a session, which has ended.
  func cancelRequests(for session: Session) {
    for requester in session.incomingRequests {
      requester.request?.stop()
      requester.place = .lobby
      requester.write(.didCancel(reason: .left))
    }
    session.incomingRequests = []
  }

  /// Returns the player who has waited longest, of those who can be paired with the session for
  /// this game. A player who is held back is paired only with a player who names them.
  private func partner(
    of session: Session, for named: Session?, _ game: Game, isHeld: Bool
  ) -> Session? {
    if let named {
      guard let request = request(of: named, for: session, game) else { return nil }
      return isHeld && request.opponent == nil ? nil : named
    }
    let requester = session.incomingRequests.first {
      request(of: $0, for: session, game).map { !$0.isHeld } ?? false
    }
    let anyone = isHeld ? nil : queues[game.info.id]?.players.partner(for: session, at: timers.now)
    guard let requester, let anyone, let requesterRequest = requester.request,
      let anyoneRequest = anyone.request
    else {
      return requester ?? anyone
    }
    return requesterRequest.number < anyoneRequest.number ? requester : anyone
  }

  /// Returns a player's request if it is for this game with a session or with any opponent.
  private func request(of other: Session, for session: Session, _ game: Game) -> PendingRequest? {
    guard let request = other.request, request.game.info.id == game.info.id, request.wants(session)
    else {
      return nil
    }
    return request
  }

  /// Begins a match. `byChance` is whether both players have asked for any opponent.
  private func pair(_ first: Session, _ second: Session, _ game: Game, byChance: Bool) {
    for session in [first, second] {
      guard let request = session.request else { continue }
      request.onPair()
      withdraw(request, of: session, isAccepted: true)
    }
    if byChance {
      first.recentPartners.add(second.number, at: timers.now)
      second.recentPartners.add(first.number, at: timers.now)
    }
    onPair(PerMark(x: first, o: second), game)
  }

  private func hold(_ request: PendingRequest, of session: Session, for time: Duration) {
    request.hold = timers.schedule(after: time) { [weak self, unowned request, unowned session] in
      self?.holdDidEnd(request, of: session)
    }
  }

  private func holdDidEnd(_ request: PendingRequest, of session: Session) {
    guard mayPair() else { return hold(request, of: session, for: Self.retry) }
    request.hold = nil
    if let named = request.opponent {
      guard let other = self.request(of: named, for: session, request.game) else { return }
      pair(inOrder: (session, request), (named, other))
    } else if let other = queues[request.game.info.id]?.players.partner(
      for: session, at: timers.now),
      let otherRequest = other.request
    {
      // At once, not by the queue's timer: the hold of other players may end in this turn too.
      pair(inOrder: (session, request), (other, otherRequest))
    } else {
      change(request.game) { $0.makeReady(session) }
    }
  }

  /// Begins a match of two waiting players.
  private func pair(inOrder one: (Session, PendingRequest), _ other: (Session, PendingRequest)) {
    let (first, second) = one.1.number < other.1.number ? (one, other) : (other, one)
    let byChance = first.1.opponent == nil && second.1.opponent == nil
    pair(first.0, second.0, first.1.game, byChance: byChance)
  }

  /// Changes the queue of a game, and sets the timer for its next pair.
  private func change(_ game: Game, _ body: (inout MatchmakingQueue) -> Void) {
    var queue = queues[game.info.id] ?? Queue()
    body(&queue.players)
    queue.timer?.cancel()
    queue.timer = queue.players.nextPair(at: timers.now).map { next in
      schedulePair(of: game, after: next.time - timers.now)
    }
    queues[game.info.id] = queue
  }

  private func schedulePair(of game: Game, after delay: Duration) -> LoopTimer {
    timers.schedule(after: delay) { [weak self] in self?.pairNext(of: game) }
  }

  private func pairNext(of game: Game) {
    guard let next = queues[game.info.id]?.players.nextPair(at: timers.now) else { return }
    if mayPair() {
      pair(next.first, next.second, game, byChance: true)
    } else {
      queues[game.info.id]?.timer = schedulePair(of: game, after: Self.retry)
    }
  }
}
