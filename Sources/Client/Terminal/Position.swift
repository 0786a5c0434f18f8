/// A cell of the terminal; 0, 0 is the one at the top left.
struct Position: Equatable {
  var row: Int
  var column: Int
}
