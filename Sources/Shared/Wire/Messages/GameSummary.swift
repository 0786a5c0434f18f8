/// A game that the server offers. The numbers are the server's: the client need not be able to play
/// it.
package struct GameSummary: Equatable, Sendable {
  package let id: String
  package let name: String
  package let rows: Int
  package let columns: Int
  package let inARow: Int

  package init(id: String, name: String, rows: Int, columns: Int, inARow: Int) {
    self.id = id
    self.name = name
    self.rows = rows
    self.columns = columns
    self.inARow = inARow
  }
}
