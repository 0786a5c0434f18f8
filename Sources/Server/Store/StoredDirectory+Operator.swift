import Shared

/// What the operator asks of the accounts and of the archive.
extension StoredDirectory {
  func accounts(
    like pattern: NamePattern, limit: Int, answer: @escaping CommandAnswer<AccountPage>
  ) {
    let found = accounts.values.filter { $0.isSettled && pattern.matches($0.key) }
      .sorted { $0.key.text < $1.key.text }
    let (first, now) = (Array(found.prefix(limit)), now().milliseconds)
    archive.perform {
      try $0.archive.registrationTimes(of: first.map(\.id))
    } then: { result in
      answer(
        result.map { times in
          AccountPage(
            items: first.map { AccountPage.Item($0, created: times[$0.id], now: now) },
            more: found.count - first.count)
        }.mapError(Self.refusal))
    }
  }

  func details(of name: PlayerName, answer: @escaping CommandAnswer<AccountDetails>) {
    guard let account = accounts[name.key], account.isSettled else {
      return answer(.failure(.noAccount(of: name.text)))
    }
    let now = now().milliseconds
    archive.perform {
      let archive = $0.archive
      let created = try archive.registrationTimes(of: [account.id])[account.id]
      return AccountDetails(
        item: AccountPage.Item(account, created: created, now: now),
        ratings: try archive.ratingEntries(of: account.id),
        games: try archive.gameCount(of: account.key),
        sinceLastGame: try archive.history(of: account.key, before: nil, now: now).items.first?.ago)
    } then: {
      answer($0.mapError(Self.refusal))
    }
  }

  func erase(_ name: PlayerName, answer: @escaping CommandAnswer<Erasure>) {
    let account = accounts[name.key]
    guard account?.isSettled != false else { return answer(.failure(.accountIsChanging)) }
    accounts[name.key]?.isSettled = false
    archive.performAfterArchiving {
      try $0.archive.beginErasure(of: name, account: account?.id)
    } then: { [weak self] result in
      guard let self else { return }
      if let account {
        switch result {
        case .success:
          accounts[name.key] = nil
          ratings[account.id] = nil
        case .failure: accounts[name.key]?.isSettled = true
        }
      }
      proceed(result, answer: answer)
    }
  }

  private func proceed(
    _ result: Result<ErasureProgress, any Error>, answer: @escaping CommandAnswer<Erasure>
  ) {
    switch result {
    case .success(let progress) where progress.isDone: answer(.success(progress.erasure))
    case .success(let progress):
      archive.change {
        try $0.archive.continueErasure(progress)
      } then: { [weak self] in
        self?.proceed($0, answer: answer)
      }
    case .failure(let error): answer(.failure(Self.refusal(error)))
    }
  }

  func compact(answer: @escaping CommandAnswer<Compaction>) {
    archive.change {
      try $0.archive.compact()
    } then: {
      answer(
        $0.mapError { error in
          guard let error = error as? DatabaseError, error.isFull else {
            return Self.refusal(error)
          }
          return CommandError(
            .full,
            "There is no room for a compact copy: it needs as much as the archive has, in the data"
              + " folder and in the system's folder for temporary files.")
        })
    }
  }
}

extension AccountPage.Item {
  /// Both times are in milliseconds since 1970; `created` is `nil` if it is not known.
  init(_ account: Account, created: Int?, now: Int) {
    self.init(
      name: account.name, age: created.map { .milliseconds(max(0, now - $0)) },
      passwordUse: account.passwordUse)
  }
}
