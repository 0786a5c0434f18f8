import Shared

@testable import Server

/// Requests, invitations and codes.
extension LobbyModel {
  /// An `error`.
  struct Refusal {
    let code: ErrorCode
    let message: String
    let field: String?
    let retry: Duration?

    init(_ code: ErrorCode, _ message: String, _ field: String?, _ retry: Duration?) {
      (self.code, self.message, self.field, self.retry) = (code, message, field, retry)
    }
  }

  /// How long a player who was declined must not invite the same player.
  private static let blockTime: Duration = .seconds(30)
  /// How many unknown codes within a minute make further ones `tooFast`.
  private static let maxUnknownCodes = 10
  private static let codeAlphabet = Set("23456789abcdefghjkmnpqrstuvwxyz")

  func queue(
    _ name: String, answering command: Command?, _ request: Request, expires: Duration?
  ) throws(ViolationError) {
    guard let person = people[name] else { throw ViolationError("\(name) waits, but is nobody") }
    switch person.place {
    case .lobby:
      try check(request, of: name, answering: command)
      try require(
        expires == (request.opponent == nil ? nil : plan.settings.inviteWithin),
        "\(request) of \(name) expires in \(expires as Any)")
      people[name]?.place = .waiting(request)
    case .waiting(let old):
      try require(person.returnedAt == now, "\(name) is told twice that it waits")
      try require(
        (request.game, request.opponent, request.code) == (old.game, old.opponent, old.code),
        "\(name) waits for \(request), not for \(old)")
      try check(expires, of: old, "\(name) waits")
      if old.deadline != nil { count("repeated expires") }
      if old.code != nil { count("repeated code") }
    case .playing(let match):
      try require(
        request.opponent == nil && request.code == nil && expires == nil
          && request.game == matches[match]?.game, "the next game is \(request)")
      let isRepeated = person.returnedAt == now
      try require(person.hasAsked == isRepeated, "\(name) has asked: \(person.hasAsked)")
      let opponent = matches[match]?.opponent(of: name) ?? ""
      try require(people[opponent]?.hasAsked == false, "both have asked, but no game begins")
      if !isRepeated { try checkBlock(of: name, by: opponent) }
      people[name]?.hasAsked = true
    case .watching: throw ViolationError("\(name) watches and waits")
    }
  }

  /// Checks the answer to a `start` or `open` in the lobby.
  private func check(
    _ request: Request, of name: String, answering command: Command?
  ) throws(ViolationError) {
    switch command {
    case .open(let game):
      try require(
        request.game == game ?? Command.defaultGame && request.opponent == nil
          && request.code != nil, "\(name) opens \(String(describing: game)): \(request)")
    case .start(let opponent, let game, _):
      try require(
        request.game == game ?? Command.defaultGame && request.opponent == opponent
          && request.code == nil, "\(name) starts \(String(describing: command)): \(request)")
    default: break
    }
    if let code = request.code {
      try require(
        code.count == ProtocolLimits.codeLength && Self.codeAlphabet.isSuperset(of: code)
          && !openCodes.contains(code), "the code of \(name) is \(code)")
    }
    guard let opponent = request.opponent else { return }
    try require(opponent != name, "\(name) invites itself")
    try checkBlock(of: name, by: opponent)
    try require(
      people[opponent]?.request.map { $0.opponent == name && $0.game == request.game } != true,
      "\(name) and \(opponent) want the same game, but \(name) waits")
  }

  private func checkBlock(of name: String, by opponent: String) throws(ViolationError) {
    try require(
      blockEnd(of: name, by: opponent) == nil, "\(name) invites \(opponent), who has declined")
  }

  private func blockEnd(of name: String, by opponent: String) -> Duration? {
    blocks[Pair(from: name, by: opponent)].flatMap { $0 > now ? $0 : nil }
  }

  private func check(
    _ expires: Duration?, of request: Request, _ what: String
  ) throws(ViolationError) {
    guard let deadline = request.deadline else {
      return try require(expires == nil, "\(what) for \(expires as Any), but without a limit")
    }
    try require(
      expires.map { isRounded($0, deadline - now) } == true,
      "\(what) for \(expires as Any), but until \(deadline), now \(now)")
  }

  func invite(
    _ name: String, from: String, to game: String, expires: Duration?
  ) throws(ViolationError) {
    switch people[from]?.place {
    case .waiting(let request):
      try require(
        request.opponent == name && request.game == game,
        "\(from) invites \(name) to \(game), but waits for \(request)")
      try check(expires, of: request, "\(name) is invited by \(from)")
    case .playing(let match):
      try require(
        people[from]?.hasAsked == true && people[name]?.place == .playing(match)
          && matches[match]?.game == game && expires == nil,
        "\(from) has not asked \(name) for the next game of \(game)")
    default: throw ViolationError("\(from) does not invite \(name)")
    }
    try require(
      people[name]?.told.insert(from).inserted == true, "\(name) is told twice of \(from)")
  }

  func endInvitation(
    of name: String, from: String, answering command: Command?
  ) throws(ViolationError) {
    try require(
      people[name]?.told.remove(from) != nil, "the invitation of \(from) to \(name) ends twice")
    people[name]?.lastEnd = (from, now)
    let isDecline = if case .decline? = command { true } else { false }
    // A player who is lost can only have been declined, and is not told.
    let isLost = people[from]?.hasAsked == true && people[from]?.link == nil
    guard isDecline || isLost else { return }
    decline(from, by: name)
    if !isLost { owedCancels.insert(from) }
  }

  private func decline(_ from: String, by name: String) {
    count("declined")
    blocks[Pair(from: from, by: name)] = now + Self.blockTime
    people[from]?.hasAsked = false
  }

  func cancel(_ name: String, because reason: CancelReason?) throws(ViolationError) {
    count("didCancel \(reason?.rawValue ?? "")")
    let request = people[name]?.request
    switch reason {
    case nil: break
    case .expired:
      try require(request?.deadline == now, "at \(now) the request expires: \(request as Any)")
    case .left:
      guard let opponent = request?.opponent else {
        throw ViolationError("nobody has left \(name)")
      }
      mustHaveGone.insert(opponent)
    case .declined where owedCancels.remove(name) != nil: break
    case .declined:
      // Without an id, the reply to the decline cannot be recognized.
      guard
        let (other, person) = people.first(where: {
          $0.value.lastEnd.map { $0 == (name, now) } ?? false
        }), hasInWords(person.link, { if case .decline = $0 { true } else { false } })
      else { throw ViolationError("nobody has declined to play with \(name)") }
      decline(name, by: other)
    }
    people[name]?.hasAsked = false
    if request != nil { people[name]?.place = .lobby }
  }

  func refuse(
    _ name: String, _ refusal: Refusal, answering command: Command?
  ) throws(ViolationError) {
    switch command {
    case .join(let code):
      if refusal.code == .tooFast, refusal.message.contains("unknown codes") {
        count("join tooFast")
        return try require(
          codeBlockEnd.map { isRounded(refusal.retry ?? .zero, $0 - now) } == true,
          "join is tooFast, \(refusal.retry as Any), after \(unknownCodes)")
      }
      try require(
        refusal.code != .unknownCode || !openCodes.contains(code.lowercased()),
        "the code \(code) is open")
    case .start(let opponent, let game, _):
      try checkRefusedStart(of: name, with: opponent, game, refusal)
    case .decline where refusal.code == .missingField: count("decline of several")
    default: break
    }
    guard refusal.code == .unknownCode else { return }
    try require(codeBlockEnd == nil, "too many unknown codes, but this one is unknownCode")
    unknownCodes.append(now)
  }

  private func checkRefusedStart(
    of name: String, with opponent: String?, _ game: String?, _ refusal: Refusal
  ) throws(ViolationError) {
    var other = opponent
    if case .playing(let match)? = people[name]?.place {
      other = matches[match]?.opponent(of: name)
    }
    let isAboutOpponent = refusal.field == "opponent"
    guard let other, isAboutOpponent else { return }
    if people[name]?.place == .lobby {
      try require(
        people[other]?.request.map { $0.opponent == name && $0.game == game ?? $0.game } != true,
        "\(other) invites \(name), who accepts in vain: \(refusal)")
    }
    guard refusal.code == .tooFast else { return }
    if let end = blockEnd(of: name, by: other) {
      count("blocked")
      try require(
        isRounded(refusal.retry ?? .zero, end - now),
        "\(name) may invite \(other) at \(end), now \(now): \(refusal)")
    } else {
      try require(!refusal.message.contains("declined"), "\(name) was not declined: \(refusal)")
    }
  }

  /// When codes are compared again after too many unknown ones; `nil` if they are now.
  private var codeBlockEnd: Duration? {
    guard plan.settings.limits.address.unknownCodesPerMinute != nil,
      unknownCodes.count >= Self.maxUnknownCodes
    else { return nil }
    let end = unknownCodes[unknownCodes.count - Self.maxUnknownCodes] + .seconds(60)
    return end > now ? end : nil
  }
}
