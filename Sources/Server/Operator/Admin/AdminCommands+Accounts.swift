import Shared

/// What the operator does with accounts and the archive.
extension AdminCommands {
  /// How many accounts a list has.
  static let maxAccounts = 200
  /// The number of characters of a password that works once: 69 random bits.
  private static let passwordLength = 14

  func accounts(like pattern: String?, answer: @escaping Answer) {
    lobby.directory.accounts(like: NamePattern(pattern ?? "*"), limit: Self.maxAccounts) {
      [weak self] result in
      answer(
        result.map { page in
          AdminReply(
            "accounts",
            items: page.items.map { item in
              ("account", { self?.put(item, to: &$0) })
            }
          ) { $0.put("more", page.more > 0 ? page.more : nil) }
        })
    }
  }

  private func put(_ item: AccountPage.Item, to line: inout LineWriter) {
    line.put("name", item.name)
    line.put("since", item.age)
    line.put("online", lobby.session(named: item.name) != nil)
    if item.passwordUse != .always { line.put("password", item.passwordUse.rawValue) }
  }

  func account(of name: PlayerName, answer: @escaping Answer) {
    lobby.directory.details(of: name) { [weak self] result in
      answer(result.map { details in self?.reply(details, name) ?? .done("") })
    }
  }

  private func reply(_ details: AccountDetails, _ name: PlayerName) -> AdminReply {
    let (ban, mute) = (moderation.ban(of: name), moderation.mute(of: name))
    return AdminReply(
      "account",
      items: details.ratings.map { entry in
        ("rating", { line in Self.put(entry, to: &line) })
      }
    ) { [self] line in
      put(details.item, to: &line)
      if let session = lobby.session(named: name.text) {
        line.put("loggedIn", timers.now - session.begin)
        line.put("address", session.address?.description)
      }
      line.put("games", details.games)
      line.put("lastGame", details.sinceLastGame)
      if let ban {
        line.put("banned", true)
        line.put("banLeft", moderation.timeLeft(of: ban))
      }
      if let mute {
        line.put("muted", true)
        line.put("muteLeft", moderation.timeLeft(of: mute))
      }
    }
  }

  private static func put(_ entry: AccountDetails.Entry, to line: inout LineWriter) {
    line.put("game", entry.game)
    line.put("rating", entry.entry.rating.rounded)
    line.put("provisional", entry.entry.rating.isProvisional)
    line.put("won", entry.entry.won)
    line.put("lost", entry.entry.lost)
    line.put("drawn", entry.entry.drawn)
  }

  /// Sets a password that works once, and disconnects who has the name. A match waits for the new
  /// password.
  func setPassword(of name: PlayerName, answer: @escaping Answer) {
    let password = random.letters(Self.passwordLength)
    lobby.directory.setOneTimePassword(password, of: name) { [weak self] result in
      guard let self else { return }
      guard case .success = result else { return answer(result.map { .done("") }) }
      let reply = AdminReply.secret(
        "password", logged: "\(name.text) has a password that works once."
      ) { line in
        line.put("name", name.text)
        line.put("password", password)
      }
      let reason = "Your password was set."
      // Nobody can have logged in with this one here.
      lobby.session(named: name.text)?.hasNewPassword = false
      disconnect(name, because: reason, keepsSeat: true, isWaiting: false) { _ in
        answer(.success(reply))
      }
    }
  }

  /// Deletes what is stored of a person.
  func forget(_ name: PlayerName, answer: @escaping Answer) {
    let reason = "Your account was deleted."
    disconnect(name, because: reason, keepsSeat: false, isWaiting: true) { [weak self] error in
      guard let self else { return }
      if let error { return answer(.failure(error)) }
      lobby.directory.erase(name) { [weak self] result in
        answer(result.map { .done(self?.sentence(for: $0, of: name) ?? "") })
      }
    }
  }

  private func sentence(for erasure: Erasure, of name: PlayerName) -> String {
    var parts: [String] = []
    if erasure.hasAccount { parts.append("the account") }
    if erasure.games > 0 { parts.append(Count.of(erasure.games, "game")) }
    if erasure.matches > 0 { parts.append(Count.of(erasure.matches, "match", "matches")) }
    let last = parts.popLast()
    let list = last.map { last in
      parts.isEmpty ? last : "\(parts.joined(separator: ", ")) and \(last)"
    }
    let sanctions = [
      moderation.ban(of: name).map { _ in "ban" }, moderation.mute(of: name).map { _ in "mute" },
    ].compactMap { $0 }
    return
      (list.map { "The name \(name.text) is taken out of \($0)." }
      ?? "Nothing was kept of \(name.text).")
      + (sanctions.isEmpty
        ? ""
        : " The \(sanctions.joined(separator: " and the ")) of the name"
          + " \(sanctions.count == 1 ? "stays" : "stay"); see bans.")
  }

  /// Disconnects a player, at whatever node. With `isWaiting`, the answer comes when the player has
  /// left. It is the reason why that is not known.
  private func disconnect(
    _ name: PlayerName, because reason: String, keepsSeat: Bool, isWaiting: Bool,
    done: @escaping (CommandError?) -> Void
  ) {
    guard kickHere(name.text, because: reason, keepsSeat: keepsSeat) == nil else {
      return done(nil)
    }
    group.kick(name.text, because: reason, keepsSeat: keepsSeat, waits: isWaiting) { result in
      if case .failure(let error) = result { done(error) } else { done(nil) }
    }
  }

  func compact(answer: @escaping Answer) {
    lobby.directory.compact { result in
      answer(
        result.map { sizes in
          let (before, after) = (Count.text(sizes.before), Count.text(sizes.after))
          return .done("The archive had \(before) bytes, and has \(after).")
        })
    }
  }
}
