import Shared
import TestSupport
import Testing

extension Board {
  /// Applies the diff of a `boardDidChange` and checks its hash. Ignores other lines.
  mutating func apply(_ line: JSON) throws {
    guard line["type"] == "boardDidChange" else { return }
    var placements: [Placement] = []
    for cell in line["cells"]?.elements ?? [] {
      guard case .number(let row) = cell["row"], case .number(let column) = cell["col"] else {
        continue
      }
      placements.append(
        Placement(cell: Cell(row: row, column: column), mark: cell["mark"] == "X" ? .x : .o))
    }
    #expect(placements.count == 1)
    let placement = try #require(placements.first)
    let turn: Mark? = line["turn"].map { $0 == "X" ? .x : .o }
    let isOnBoard = apply(Change(placement, turn: turn, hash: 0))
    #expect(isOnBoard)
    let digits = String(hash, radix: 16)
    let padded = String(repeating: "0", count: 8 - digits.count) + digits
    #expect(line["hash"]?.text == padded)
  }
}
