/// The types of the lines that the server writes, in the order of the protocol.
enum EventType: String, CaseIterable, Sendable {
  case hello, didLogin, didQueue, didCancel, invited, invitationDidEnd
  case gameDidStart, boardDidChange, gameDidEnd, presenceDidChange, matchDidEnd, didSay
  case matchSnapshot, didLeave
  case matches, players, games, pong, help, error, bye
}
