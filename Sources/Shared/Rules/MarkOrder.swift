/// Which mark each player has. The players swap marks after each game of a match, so a player has
/// in every other game the mark that the player had in the first one. Public, so that each module
/// can specialize what is generic.
public struct MarkOrder: Equatable, Sendable {
  /// Whether the players have the marks of the first game.
  public private(set) var isFirst = true

  package init() {}

  /// The order in a game, counted from 1. Before the first game it is that of the first game.
  package init(inGame number: Int) {
    isFirst = number == 0 || !number.isMultiple(of: 2)
  }

  package mutating func swap() { isFirst.toggle() }

  /// Turns values by the marks of the first game into values by the marks now, and back.
  @inlinable
  public func swapped<Value>(_ values: PerMark<Value>) -> PerMark<Value> {
    isFirst ? values : values.swapped
  }

  /// Turns the mark of a player in the first game into the mark now, and back.
  package func swapped(_ mark: Mark) -> Mark { isFirst ? mark : mark.other }
}
