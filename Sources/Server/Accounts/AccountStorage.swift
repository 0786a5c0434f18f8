import Shared

/// Where accounts are kept, and what clients may do with them: the accounts of `Directory`, the
/// same for each kind of storage. What a client gives is checked before anything changes.
///
/// A change counts at once for those who ask this server: while an account is being added or
/// removed, it is there but not settled.
protocol AccountStorage: Directory {
  var passwords: PasswordQueue { get }

  /// The account of a name as it is known now, by its key; `nil` for the name of a guest.
  subscript(key: ExactText) -> Account? { get set }
  /// Calls `action` with the account of a name as it is stored. An error of it is thrown if the
  /// call comes at once; otherwise `fail` gets it, or the reason why the account cannot be read.
  func withAccount(
    of name: PlayerName, orFail fail: @escaping (CommandError) -> Void,
    _ action: @escaping (Account?) throws(CommandError) -> Void
  ) throws(CommandError)
  func add(_ name: PlayerName, hash: String, answer: @escaping CommandAnswer<Void>)
  func change(_ account: Account, to hash: String, answer: @escaping CommandAnswer<Void>)
  /// Games that have ended count first.
  func remove(_ account: Account, answer: @escaping CommandAnswer<Void>)
}

extension AccountStorage {
  func account(of name: PlayerName) -> Account? { self[name.key] }

  func checkPassword(
    _ password: String, of name: PlayerName, from usage: AddressUsage,
    answer: @escaping (PasswordCheck) -> Void
  ) throws(CommandError) {
    try withAccount(of: name) {
      answer(PasswordCheck(account: nil, refusal: $0))
    } _: { [passwords] account throws(CommandError) in
      try passwords.check(password, of: account, from: usage.network) { isRight in
        answer(PasswordCheck(of: account, isRight: isRight))
      }
    }
  }

  func register(
    _ name: PlayerName, password: String, old: String?, from usage: AddressUsage,
    isCurrent: @escaping () -> Bool, answer: @escaping CommandAnswer<Void>
  ) throws(CommandError) {
    try withAccount(of: name) {
      answer(.failure($0))
    } _: { [self] account throws(CommandError) in
      guard let account else {
        guard name.canBeRegistered else { throw .numberedName }
        return try passwords.hash(password, from: usage.network) { [weak self] hash in
          guard isCurrent() else { return }
          guard let hash else { return answer(.failure(CommandError(.internal))) }
          self?.add(name, hash: hash, answer: answer)
        }
      }
      try passwords.replace(
        old, by: password, of: account, from: usage.network, isCurrent: isCurrent,
        isUnchanged: { [weak self] in self?.account(of: name) == account }
      ) { [weak self] result in
        switch result {
        case .success(let hash?): self?.change(account, to: hash, answer: answer)
        case .success(nil): answer(.failure(CommandError(.internal)))
        case .failure(let error): answer(.failure(error))
        }
      }
    }
  }

  func unregister(
    _ name: PlayerName, password: String, from usage: AddressUsage,
    isCurrent: @escaping () -> Bool, willRemove: @escaping () -> Void,
    answer: @escaping CommandAnswer<Void>
  ) throws(CommandError) {
    try withAccount(of: name) {
      answer(.failure($0))
    } _: { [self] account throws(CommandError) in
      guard let account else { throw .notRegistered }
      try passwords.check(password, of: account, from: usage.network) { [weak self] isRight in
        guard let self, isCurrent() else { return }
        guard isRight, self.account(of: name) == account else {
          return answer(.failure(CommandError(.wrongPassword, field: "password")))
        }
        willRemove()
        remove(account, answer: answer)
      }
    }
  }

  func setOneTimePassword(
    _ password: String, of name: PlayerName, answer: @escaping CommandAnswer<Void>
  ) {
    let fail = { (error: CommandError) in answer(.failure(error)) }
    do throws(CommandError) {
      try withAccount(of: name, orFail: fail) { [self] account throws(CommandError) in
        guard let account else { throw .noAccount(of: name.text) }
        try passwords.hash(password, from: .loopback) { [weak self] hash in
          guard let self else { return }
          guard let hash else { return fail(CommandError(.internal)) }
          guard self[account.key]?.isSettled != false else { return fail(.accountIsChanging) }
          change(account, to: Account.oneTimePassword(hash: hash), answer: answer)
        }
      }
    } catch {
      fail(error)
    }
  }

  /// Holds at once, so that nobody else logs in with a spent password meanwhile.
  func spendPassword(of account: Account) {
    if self[account.key] == account { self[account.key]?.password = account.spentPassword }
    change(account, to: account.spentPassword) { _ in }
  }
}
