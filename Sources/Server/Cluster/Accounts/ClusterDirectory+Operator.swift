import Shared

/// What the operator asks of the accounts in the engine, which has no archive.
extension ClusterDirectory {
  func accounts(
    like pattern: NamePattern, limit: Int, answer: @escaping CommandAnswer<AccountPage>
  ) {
    let now = now().milliseconds
    accounts.find(like: pattern) { [accounts] keys in
      guard let keys else { return answer(.failure(.engineIsAway)) }
      let first = Array(keys.prefix(limit))
      accounts.read(first) { entries in
        guard let entries else { return answer(.failure(.engineIsAway)) }
        let items = entries.map {
          AccountPage.Item($0.account, created: $0.created, now: now)
        }
        answer(.success(AccountPage(items: items, more: keys.count - first.count)))
      }
    }
  }

  func details(of name: PlayerName, answer: @escaping CommandAnswer<AccountDetails>) {
    let now = now().milliseconds
    accounts.read(name.key) { [accounts] result in
      switch result {
      case .failure(let error): answer(.failure(error))
      case .success(nil): answer(.failure(.noAccount(of: name.text)))
      case .success(let entry?):
        accounts.countGames(of: name.key) { games in
          guard let (count, last) = games else { return answer(.failure(.engineIsAway)) }
          answer(
            .success(
              AccountDetails(
                item: AccountPage.Item(entry.account, created: entry.created, now: now),
                ratings: entry.ratings.sorted { $0.key < $1.key }.map {
                  AccountDetails.Entry(game: $0.key, entry: $0.value)
                },
                games: count, sinceLastGame: last.flatMap { HistoryItem($0, now: now)?.ago })))
        }
      }
    }
  }

  func erase(_ name: PlayerName, answer: @escaping CommandAnswer<Erasure>) {
    accounts.read(name.key) { [weak self] result in
      switch result {
      case .failure(let error): answer(.failure(error))
      case .success(nil): self?.eraseGames(of: name, hadAccount: false, answer: answer)
      case .success(let entry?):
        self?.remove(entry.account) { [weak self] result in
          switch result {
          case .failure(let error): answer(.failure(error))
          case .success: self?.eraseGames(of: name, hadAccount: true, answer: answer)
          }
        }
      }
    }
  }

  private func eraseGames(
    of name: PlayerName, hadAccount: Bool, answer: @escaping CommandAnswer<Erasure>
  ) {
    RedisErasure(of: name, engine: accounts.engine).run { count in
      guard let count else { return answer(.failure(.engineIsAway)) }
      answer(.success(Erasure(hasAccount: hadAccount, games: count)))
    }
  }

  func compact(answer: @escaping CommandAnswer<Compaction>) {
    answer(
      .failure(
        CommandError(.unavailable, "A node of a cluster has no archive: the engine keeps it all.")))
  }
}
