import Shared

@testable import Server

/// Sessions and announcements.
extension LobbyModel {
  func didLogin(
    _ name: String, at place: SessionPlace?, on link: Int
  ) throws(ViolationError) {
    // Both players of its match may have been lost, so that nobody was told of the end.
    if let old = people[name], case .playing(let match) = old.place, old.link == nil,
      !hasMatch(match)
    {
      end(name)
    }
    if let place {
      guard var person = people[name] else {
        throw ViolationError("\(name) resumes a session that has ended")
      }
      try require(
        place == person.place.onTheWire, "\(name) resumes at \(place), but was \(person.place)")
      (person.link, person.told, person.toldCount, person.returnedAt) = (link, [], nil, now)
      people[name] = person
    } else {
      try require(people[name] == nil, "\(name) logs in twice")
      people[name] = Person(link: link)
    }
    if stop != nil || plan.settings.motd != nil { greetings.insert(link) }
  }

  func announce(
    _ text: String, _ left: Duration?, to name: String, on link: Int, isGreeting: Bool
  ) throws(ViolationError) {
    guard people[name]?.link == link else {
      throw ViolationError("\(name) gets an announcement before the login")
    }
    guard let stop else {
      count("motd")
      try require(isGreeting, "\(name) gets the announcement again")
      return try require(
        text == plan.settings.motd && left == nil, "the announcement is \(text), \(left as Any)")
    }
    try require(
      isGreeting || owedStops.remove(name) != nil,
      "\(name) is told twice that the server stops")
    count(isGreeting ? "stop at login" : "stop")
    try require(
      text != plan.settings.motd && left.map { isRounded($0, max(.zero, stop - now)) } == true,
      "the announcement at \(now) is \(text), \(left as Any), but the server stops at \(stop)")
  }

  /// The server begins to drain. Everybody who is logged in must be told now.
  func drain(within time: Duration?) {
    guard let time else { return }
    stop = now + time
    owedStops = Set(people.filter { $0.value.link != nil }.keys)
  }

  func sayBye(_ code: ByeCode, to name: String, on link: Int) {
    guard people[name]?.link == link else { return }
    switch code {
    case .takenOver: people[name]?.link = nil
    case .quit: end(name)
    default: break
    }
  }

  /// The server has closed a connection, or has learned that it is lost.
  func linkDidEnd(_ link: Int, of name: String) {
    forgetCommands(on: link)
    guard let person = people[name], person.link == link else { return }
    if case .playing = person.place, plan.grace != nil {
      people[name]?.link = nil
    } else {
      end(name)
    }
  }

  func end(_ name: String) {
    noteWatcher(name)
    people[name] = nil
    gone.insert(name)
    blocks = blocks.filter { $0.key.from != name && $0.key.by != name }
  }

  /// Checks that everybody was told what happened in this turn.
  func endTurn() throws(ViolationError) {
    for (name, person) in people {
      guard case .playing(let match) = person.place, !hasMatch(match) else { continue }
      try require(person.link == nil, "\(name) was not told that \(match) has ended")
      end(name)
    }
    try require(owedCancels.isEmpty, "\(owedCancels) were declined, but not told so")
    try require(mustHaveGone.isSubset(of: gone), "\(mustHaveGone) have not gone")
    try require(greetings.isEmpty, "a login without the announcement")
    try require(owedStops.isEmpty, "\(owedStops) were not told that the server stops")
    for (name, person) in people { try checkInvitations(of: name, person) }
    for (id, match) in matches { try checkSpectators(of: id, match) }
    (gone, mustHaveGone, beginnings) = ([], [], [:])
  }

  private func checkInvitations(of name: String, _ person: Person) throws(ViolationError) {
    if let request = person.request {
      let isPast = request.deadline.map { $0 <= now } ?? false
      try require(!isPast, "the invitation of \(name) outlives its end: \(request)")
      try require(
        request.opponent.map { people[$0] != nil } ?? true,
        "\(name) waits for a player who has gone: \(request)")
    }
    guard person.link != nil else { return }
    let inviting = people.filter { isInviting($0.value, name) && $0.key != name }
    try require(
      person.told == Set(inviting.keys),
      "\(name) was told of the invitations \(person.told), but they are \(inviting.keys.sorted())")
  }

  /// Whether a player invites another one, to a match or to the next game.
  private func isInviting(_ person: Person, _ name: String) -> Bool {
    switch person.place {
    case .waiting(let request): request.opponent == name
    case .playing(let match):
      person.hasAsked && people[name]?.place == .playing(match)
    case .lobby, .watching: false
    }
  }
}

extension LobbyModel.Place {
  fileprivate var onTheWire: SessionPlace {
    switch self {
    case .lobby: .lobby
    case .waiting: .waiting
    case .playing: .playing
    case .watching: .watching
    }
  }
}
