import Shared

extension StoredPlayer {
  init(_ session: Session) {
    self.init(
      id: session.id.isEmpty ? nil : session.id, name: session.name.text,
      token: session.token.hash, spent: session.spentToken?.hash)
  }
}
