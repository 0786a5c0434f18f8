import Foundation
import Shared

/// What the operator has decided: bans, mutes and the greeting. The lobby and the connections ask;
/// only `AdminCommands` changes it.
final class Moderation {
  /// The greeting that the operator has set: empty for none, `nil` for that of the options.
  var motd: String?
  private let now: () -> Date
  private let store: (any OperatorStore)?
  private var networks = NetworkTable()
  private var names = TermsByName()
  private var mutes = TermsByName()

  /// `now` returns the time of day. `store` is `nil` if nothing is kept.
  init(
    _ record: OperatorRecord = OperatorRecord(), store: (any OperatorStore)? = nil,
    now: @escaping () -> Date = Date.init
  ) {
    self.now = now
    self.store = store
    replace(with: record)
  }

  /// Forgets everything, and takes up what was decided elsewhere.
  func replace(with record: OperatorRecord) {
    (networks, names, mutes) = (NetworkTable(), TermsByName(), TermsByName())
    motd = record.motd
    let now = now()
    for ban in record.bans { self.ban(ban.subject, ban.term.limited(at: now)) }
    for mute in record.mutes { self.mute(mute.name, mute.term.limited(at: now)) }
  }

  /// The clock was set: each term ends so much later, so that as much is left of it as before.
  func clockDidStep(by step: Duration) {
    // Also those that seem to have ended now.
    let record = record(at: .distantPast)
    replace(
      with: OperatorRecord(
        bans: record.bans.map { Ban(subject: $0.subject, term: $0.term.moved(by: step)) },
        mutes: record.mutes.map { Mute(name: $0.name, term: $0.term.moved(by: step)) },
        motd: record.motd))
  }

  /// Returns a term that begins now; without a time it does not end.
  func term(of time: Duration?) -> Term {
    Term(end: time.map { now().addingTimeInterval($0 / .seconds(1)) }, length: time)
  }

  /// Returns the time that is left of a term; `nil` if it does not end.
  func timeLeft(of term: Term) -> Duration? { term.timeLeft(at: now()) }

  // MARK: - Questions

  /// Returns the ban of an address; `nil` if it is not banned. The cost depends on the number of
  /// different lengths of the banned networks, not on the number of bans.
  func ban(of address: IPAddress) -> Term? {
    guard !networks.isEmpty else { return nil }
    let now = now()
    return networks.terms(of: address).filter { !$0.hasEnded(at: now) }.max {
      $0.isShorter(than: $1)
    }
  }

  func ban(of name: PlayerName) -> Term? { names.term(of: name, at: now()) }

  func mute(of name: PlayerName) -> Term? { mutes.term(of: name, at: now()) }

  /// Everything that has not ended, in an order that does not depend on when it came.
  var record: OperatorRecord { record(at: now()) }

  private func record(at now: Date) -> OperatorRecord {
    OperatorRecord(
      bans: networks.all(at: now).map { Ban(subject: .network($0), term: $1) }
        + names.all(at: now).map { Ban(subject: .name($0.name), term: $0.term) },
      mutes: mutes.all(at: now).map { Mute(name: $0.name, term: $0.term) }, motd: motd)
  }

  // MARK: - Changes

  func ban(_ subject: BanSubject, _ term: Term) {
    switch subject {
    case .network(let network): networks[network] = term
    case .name(let name): names[name] = term
    }
  }

  func unban(_ subject: BanSubject) {
    switch subject {
    case .network(let network): networks[network] = nil
    case .name(let name): names[name] = nil
    }
  }

  /// Without a term, lets the player speak again.
  func mute(_ name: PlayerName, _ term: Term?) { mutes[name] = term }

  /// Keeps everything as it is now. `answer` is called when it is kept, or cannot be.
  func save(_ answer: @escaping (_ failure: OperatorFailure?) -> Void) {
    guard let store else { return answer(nil) }
    store.write(record, answer: answer)
  }
}

/// Until when a ban or a mute holds.
struct Term: Equatable, Sendable {
  /// `nil` means for ever.
  let end: Date?
  /// How long the whole term is; `nil` if it is not known, or for ever.
  var length: Duration?

  /// Returns the term with an end that is no further away than it ever was: the clock may have been
  /// set back while nobody looked.
  func limited(at now: Date) -> Term {
    guard let end, let length else { return self }
    let latest = now.addingTimeInterval(length / .seconds(1))
    return Term(end: min(end, latest), length: length)
  }

  /// Returns the term as it is after a step of the clock.
  func moved(by step: Duration) -> Term {
    Term(end: end?.addingTimeInterval(step / .seconds(1)), length: length)
  }

  func timeLeft(at now: Date) -> Duration? {
    end.map { .milliseconds(max(0, Int(($0.timeIntervalSince(now) * 1_000).rounded(.up)))) }
  }

  func hasEnded(at now: Date) -> Bool { end.map { $0 <= now } ?? false }

  func isShorter(than other: Term) -> Bool {
    (end ?? .distantFuture) < (other.end ?? .distantFuture)
  }
}

struct Ban: Equatable, Sendable {
  let subject: BanSubject
  let term: Term
}

/// A player who may not speak.
struct Mute: Equatable, Sendable {
  let name: PlayerName
  let term: Term

  static func == (one: Mute, other: Mute) -> Bool {
    one.name.key == other.name.key && one.term == other.term
  }
}

/// Terms by the keys of names.
private struct TermsByName {
  private var entries: [ExactText: (name: PlayerName, term: Term)] = [:]

  subscript(name: PlayerName) -> Term? {
    get { entries[name.key]?.term }
    set { entries[name.key] = newValue.map { (name: name, term: $0) } }
  }

  func term(of name: PlayerName, at now: Date) -> Term? {
    self[name].flatMap { $0.hasEnded(at: now) ? nil : $0 }
  }

  /// Those that have not ended, in the order of the keys.
  func all(at now: Date) -> [(name: PlayerName, term: Term)] {
    entries.values.filter { !$0.term.hasEnded(at: now) }
      .sorted { $0.name.key.text < $1.name.key.text }
  }
}
