/// A place on a board. Rows and columns count from 0, row 0 at the top. A cell need not lie on any
/// board: what a peer sends is a cell until a board has looked at it.
package struct Cell: Hashable, Sendable {
  package let row: Int
  package let column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}
