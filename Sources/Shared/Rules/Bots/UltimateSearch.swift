/// Plays `ultimate` by Monte Carlo tree search: it plays many games to the end, and looks more
/// closely at moves that win more of them.
///
/// Coulom, *Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search* (2006); Kocsis
/// and Szepesvári, *Bandit Based Monte-Carlo Planning* (UCT, 2006). Moves are selected with prior
/// weights, as in Rosin, *Multi-armed Bandits with Episode Context* (PUCT, 2011). Its formula in
/// the form of AlphaGo needs only a square root, which is the same on each machine.
struct UltimateSearch {
  private struct Node {
    let move: UltimatePosition.Move
    /// What the move promises before it is tried, as a share of that of its siblings.
    var prior: Float
    var visits: Float = 0
    /// The sum of the results for the side that made the move.
    var sum: Float = 0
    /// The node's children in `nodes`, none before it is expanded.
    var children: Range<Int32> = 0..<0
  }

  /// How much a move that was tried little is preferred.
  private static let exploration: Float = 1.5
  /// How often a node is visited before it gets children.
  private static let expansionVisits: Float = 8

  private let root: UltimatePosition
  private var limit: SearchLimit
  private var nodes: [Node]
  /// The nodes from the root to the current one.
  private var path: [Int] = []

  /// Takes a running game. Each playout counts as one node of the limit.
  init(_ board: Board, for mark: Mark, maxNodes: Int, isCancelled: @escaping () -> Bool) {
    root = UltimatePosition(board, for: mark)
    limit = SearchLimit(maxNodes: max(maxNodes, 1), isCancelled: isCancelled)
    nodes = [Node(move: UltimatePosition.Move(board: 0, cell: 0), prior: 1)]
    // Growing would move the nodes again and again.
    nodes.reserveCapacity(max(100, min(maxNodes, 1 << 20)))
    expand(0, root)
  }

  /// Returns the move that was tried most often.
  mutating func bestMove(using generator: inout some RandomNumberGenerator) -> Cell {
    var random = SplitMix64(seed: generator.next())
    if nodes[0].children.count > 1 {
      while limit.count() { visit(using: &random) }
    }
    let best = nodes[0].children.max { nodes[Int($0)].visits < nodes[Int($1)].visits }
    guard let best else { preconditionFailure("The bot has no open cell.") }
    return nodes[Int(best)].move.asCell
  }

  /// Goes down the tree by the most promising moves, plays a game from there, and counts its result
  /// on the way back.
  private mutating func visit(using random: inout SplitMix64) {
    var position = root
    var node = 0
    path.removeAll(keepingCapacity: true)
    path.append(0)
    // The result for the side that made the last move of the path.
    var result: Float?
    while result == nil {
      if nodes[node].children.isEmpty, nodes[node].visits >= Self.expansionVisits {
        expand(node, position)
      }
      if nodes[node].children.isEmpty { break }
      node = mostPromisingChild(of: node)
      path.append(node)
      switch position.play(nodes[node].move) {
      case .running: break
      case .won: result = 1
      case .drawn: result = 0.5
      }
    }
    var value = result ?? 1 - position.playout(using: &random)
    for index in path.reversed() {
      nodes[index].visits += 1
      nodes[index].sum += value
      value = 1 - value
    }
  }

  private func mostPromisingChild(of parent: Int) -> Int {
    let scale = Self.exploration * nodes[parent].visits.squareRoot()
    // A move that was never tried counts as a little worse than the parent's average.
    let visits = max(nodes[parent].visits, 1)
    let untried = 1 - nodes[parent].sum / visits - 0.1
    let children = Int(nodes[parent].children.lowerBound)..<Int(nodes[parent].children.upperBound)
    var (best, bestValue) = (children.lowerBound, -Float.infinity)
    for child in children {
      let mean = nodes[child].visits > 0 ? nodes[child].sum / nodes[child].visits : untried
      let value = mean + scale * nodes[child].prior / (1 + nodes[child].visits)
      if value > bestValue { (best, bestValue) = (child, value) }
    }
    return best
  }

  private mutating func expand(_ parent: Int, _ position: UltimatePosition) {
    let first = nodes.count
    var sum: Float = 0
    position.forEachMove { move in
      let weight = position.weight(of: move)
      sum += weight
      nodes.append(Node(move: move, prior: weight))
    }
    for index in first..<nodes.count { nodes[index].prior /= sum }
    nodes[parent].children = Int32(first)..<Int32(nodes.count)
  }
}
