/// A position of a game of 5 in a row, with figures that each mark keeps up to date: what each line
/// of five cells holds, and what it is worth to each of its cells.
struct GomokuPosition {
  /// A side by its index: 0 or 1.
  typealias Side = Int

  /// What a cell and a line are worth to a side with 0 to 5 marks in the line and none of the other
  /// side's.
  private static let weights: [Int32] = [1, 4, 20, 100, 500, 0]
  private static let lineLength = 5

  let cellCount: Int
  /// The index of each line's cells, five for each.
  private let lineCells: [Int]
  /// The lines through each cell: `cellLines[lineStarts[cell]..<lineStarts[cell + 1]]`.
  private let cellLines: [Int]
  private let lineStarts: [Int]
  /// The weight of a line by its count, for side 0 and then for side 1.
  private let weightTable: [Int32]

  /// 0 for a free cell, otherwise the side plus 1.
  private var marks: [UInt8]
  /// How many marks each line has: those of side 0, plus 16 times those of side 1.
  private var counts: [Int]
  /// The lines that lack one mark and those that lack two, one bit for each line: first those of
  /// side 0, then those of side 1.
  private var fours: [UInt64]
  private var threes: [UInt64]
  /// The sum of the weights of the lines through each cell, by `2 * cell + side`.
  private var cellWeights: [Int32]
  /// The sum of the weights of all lines for each side.
  private var sums: (Int32, Int32)
  /// The marks, hashed by Zobrist's method.
  private(set) var key: UInt64 = 0

  /// The words of a set of lines.
  let wordCount: Int

  /// `mark` is that of side 0.
  init(_ board: Board, for mark: Mark) {
    let shape = board.shape
    let lines = shape.lines
    cellCount = shape.cellCount
    lineCells = lines.flatMap { line in (0..<Self.lineLength).map { line[$0] } }
    var linesOfCells: [[Int]] = Array(repeating: [], count: cellCount)
    for (index, cell) in lineCells.enumerated() {
      linesOfCells[cell].append(index / Self.lineLength)
    }
    cellLines = linesOfCells.flatMap(\.self)
    lineStarts = linesOfCells.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    let codes = 0..<128
    weightTable =
      codes.map { $0 < 16 ? Self.weights[min($0, 5)] : 0 }
      + codes.map { $0 & 15 == 0 ? Self.weights[min($0 >> 4, 5)] : 0 }
    marks = Array(repeating: 0, count: cellCount)
    counts = Array(repeating: 0, count: lines.count)
    wordCount = (lines.count + 63) / 64
    fours = Array(repeating: 0, count: 2 * wordCount)
    threes = fours
    cellWeights = linesOfCells.flatMap { [Int32($0.count), Int32($0.count)] }
    sums = (Int32(lines.count), Int32(lines.count))
    for index in 0..<cellCount {
      if let found = board[shape.cell(at: index)] { place(found == mark ? 0 : 1, at: index) }
    }
  }

  func isFree(_ cell: Int) -> Bool { marks[cell] == 0 }

  /// What a mark of a side on a cell is worth to that side.
  @inline(__always)
  func weight(of cell: Int, for side: Side) -> Int { Int(cellWeights[2 &* cell &+ side]) }

  /// Rates the position for a side to move. Its own lines count half as much again.
  func rating(for side: Side) -> Int {
    let (own, theirs) = side == 0 ? (sums.0, sums.1) : (sums.1, sums.0)
    return (3 &* Int(own) &- 2 &* Int(theirs)) / 2
  }

  mutating func place(_ side: Side, at cell: Int) {
    marks[cell] = UInt8(truncatingIfNeeded: side &+ 1)
    count(side, at: cell, side == 0 ? 1 : 16)
  }

  mutating func remove(_ side: Side, at cell: Int) {
    marks[cell] = 0
    count(side, at: cell, side == 0 ? -1 : -16)
  }

  private mutating func count(_ side: Side, at cell: Int, _ change: Int) {
    key ^= SplitMix64.mix(UInt64(truncatingIfNeeded: 2 &* cell &+ side &+ 1))
    for index in lineStarts[cell]..<lineStarts[cell &+ 1] {
      let line = cellLines[index]
      let (old, new) = (counts[line], counts[line] &+ change)
      counts[line] = new
      note(line, had: old, has: new)
      let change0 = weightTable[new] &- weightTable[old]
      let change1 = weightTable[128 &+ new] &- weightTable[128 &+ old]
      if change0 == 0, change1 == 0 { continue }
      sums.0 &+= change0
      sums.1 &+= change1
      let first = line &* Self.lineLength
      for index in first..<first &+ Self.lineLength {
        let cell = 2 &* lineCells[index]
        cellWeights[cell] &+= change0
        cellWeights[cell &+ 1] &+= change1
      }
    }
  }

  /// Keeps the sets of lines that lack one or two marks.
  @inline(__always)
  private mutating func note(_ line: Int, had old: Int, has new: Int) {
    let bit = UInt64(1) &<< UInt64(truncatingIfNeeded: line & 63)
    let word = line >> 6
    for code in [old, new] {
      switch code {
      case 0x03: threes[word] ^= bit
      case 0x30: threes[wordCount &+ word] ^= bit
      case 0x04: fours[word] ^= bit
      case 0x40: fours[wordCount &+ word] ^= bit
      default: break
      }
    }
  }

  /// The cells that complete a five of a side: the first that is found, and whether there are more.
  func winningCell(of side: Side) -> (cell: Int, isOnly: Bool)? {
    var found: Int?
    for word in 0..<wordCount {
      var bits = fours[side &* wordCount &+ word]
      while bits != 0 {
        let cell = freeCells(ofLine: word &* 64 &+ bits.trailingZeroBitCount).0
        if let found, found != cell { return (found, false) }
        found = cell
        bits &= bits &- 1
      }
    }
    return found.map { ($0, true) }
  }

  /// A word of the set of lines that hold three marks of a side and two free cells.
  @inline(__always)
  func threes(of side: Side, word: Int) -> UInt64 { threes[side &* wordCount &+ word] }

  func hasThree(_ side: Side) -> Bool {
    (0..<wordCount).contains { threes(of: side, word: $0) != 0 }
  }

  /// The first two free cells of a line; both are the same if there is only one.
  @inline(__always)
  func freeCells(ofLine line: Int) -> (Int, Int) {
    var (first, second) = (-1, -1)
    for index in line &* Self.lineLength..<(line &+ 1) &* Self.lineLength {
      let cell = lineCells[index]
      if marks[cell] != 0 { continue }
      if first < 0 { first = cell }
      second = cell
    }
    return (first, second)
  }
}
