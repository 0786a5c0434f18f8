import Shared

extension Archive {
  /// Gives the accounts of an older server, which compared some names in another way, the keys of
  /// this one, and their games with them.
  ///
  /// - Returns: the names whose key another account has. Nobody can log in with them any more.
  func updateKeys() throws -> [String] {
    let accounts = try accounts()
    let changed = accounts.filter {
      let key = PlayerName.key(of: $0.name)
      return key != $0.key && key?.text != Player.botName
    }
    guard !changed.isEmpty else { return [] }
    var keys = Set(accounts.map(\.key))
    var rest: [String] = []
    try database.transaction {
      for account in changed {
        guard let key = PlayerName.key(of: account.name), keys.insert(key).inserted else {
          rest.append(account.name)
          continue
        }
        let names: [Statement.Value] = [.text(key.text), .text(account.key.text)]
        try database.statement("UPDATE accounts SET key = ? WHERE key = ?").run(names[0], names[1])
        // Unless a guest has had games under the new key.
        for table in ["milestones", "players"] {
          try database.statement(
            "UPDATE \(table) SET key = ?1 WHERE key = ?2"
              + " AND NOT EXISTS (SELECT 1 FROM players WHERE key = ?1)"
          ).run(names[0], names[1])
        }
      }
    }
    return rest
  }
}
