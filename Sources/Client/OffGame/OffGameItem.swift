/// Something that can be chosen in OffGame. What it is stays when the list around it changes, so a
/// selection stays on its player.
enum OffGameItem: Hashable {
  case accept(from: String, game: String)
  case anyone
  case bot
  case player(String)
  /// By the id of the match.
  case watch(String)
  case nextGame
  case cancel
  case leaveMatch
}
