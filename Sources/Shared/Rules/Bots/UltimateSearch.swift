/// Plays `ultimate` by Monte Carlo tree search: it plays many games to the end, and looks more
/// closely at moves that win more of them.
///
/// Coulom, *Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search* (2006); Kocsis
/// and Szepesvári, *Bandit Based Monte-Carlo Planning* (UCT, 2006). Moves are selected with prior
/// weights, as in Rosin, *Multi-armed Bandits with Episode Context* (PUCT, 2011). Its formula in
/// the form of AlphaGo needs only a square root, which is the same on each machine. Moves that win
/// or lose for certain are marked, as in Winands, Björnsson and Saito, *Monte-Carlo Tree Search
/// Solver* (2008).
struct UltimateSearch {
  /// What is certain about a move, for the side that makes it.
  private enum Proof: UInt8 {
    case none, wins, loses
  }

  private struct Node {
    let move: UltimatePosition.Move
    var proof = Proof.none
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
  /// How many playouts there are between two looks at whether the best move can still change.
  private static let playoutsPerLook = 1_024

  private let root: UltimatePosition
  private(set) var limit: SearchLimit
  private var nodes: [Node]
  /// The nodes from the root to the current one.
  private var path: [Int] = []
  /// How many moves of the root do not lose for certain.
  private var openMoves = 0

  /// Takes a running game. Each playout counts as one node of the limit.
  init(_ board: Board, for mark: Mark, maxNodes: Int, isCancelled: @escaping () -> Bool) {
    root = UltimatePosition(board, for: mark)
    limit = SearchLimit(maxNodes: max(maxNodes, 1), isCancelled: isCancelled)
    nodes = [Node(move: UltimatePosition.Move(board: 0, cell: 0), prior: 1)]
    // Growing would move the nodes again and again.
    nodes.reserveCapacity(max(100, min(maxNodes, 1 << 20)))
    expand(0, root)
    openMoves = nodes[0].children.count
  }

  /// Returns a move that wins for certain, or else the one that was tried most often among those
  /// that do not lose for certain. Stops when no further playout can change that.
  mutating func bestMove(using generator: inout some RandomNumberGenerator) -> Cell {
    var random = SplitMix64(seed: generator.next())
    while !isDecided, limit.count() { visit(using: &random) }
    let best = nodes[0].children.max { preference(of: $0) < preference(of: $1) }
    guard let best else { preconditionFailure("The bot has no open cell.") }
    return nodes[Int(best)].move.asCell
  }

  private func preference(of child: Int32) -> (proof: Int, visits: Float) {
    let node = nodes[Int(child)]
    return switch node.proof {
    case .wins: (1, node.visits)
    case .none: (0, node.visits)
    case .loses: (-1, node.visits)
    }
  }

  /// Whether the move is certain: one wins, or at most one does not lose, or no other can be tried
  /// as often any more.
  private var isDecided: Bool {
    guard nodes[0].proof == .none else { return true }
    guard openMoves > 1 else { return true }
    guard limit.nodesLeft % Self.playoutsPerLook == 0 else { return false }
    let visits = nodes[0].children.map { nodes[Int($0)] }.filter { $0.proof == .none }
      .map(\.visits).sorted(by: >)
    return visits[0] - visits[1] > Float(limit.nodesLeft)
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
      case .won:
        result = 1
        proveWin()
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

  /// The last move of the path wins. Marks what follows for the moves before it: a move after which
  /// the other side has a winning move loses, and one after which all moves of the other side lose
  /// wins.
  private mutating func proveWin() {
    var proof = Proof.wins
    for (step, index) in path.enumerated().reversed() {
      if proof == .wins, step < path.count - 1,
        nodes[index].children.contains(where: { nodes[Int($0)].proof != .loses })
      {
        return
      }
      guard nodes[index].proof == .none else { return }
      nodes[index].proof = proof
      if proof == .loses, step == 1 { openMoves -= 1 }
      proof = proof == .wins ? .loses : .wins
    }
  }

  private func mostPromisingChild(of parent: Int) -> Int {
    let scale = Self.exploration * nodes[parent].visits.squareRoot()
    // A move that was never tried counts as a little worse than the parent's average.
    let visits = max(nodes[parent].visits, 1)
    let untried = 1 - nodes[parent].sum / visits - 0.1
    let children = Int(nodes[parent].children.lowerBound)..<Int(nodes[parent].children.upperBound)
    var (best, bestValue) = (children.lowerBound, -Float.infinity)
    for child in children where nodes[child].proof != .loses {
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
