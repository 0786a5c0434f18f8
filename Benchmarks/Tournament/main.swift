// Lets the levels of the bot play each other and a player that moves at random:
// `Tournament --game connect --games 100 --seed 1`. Prints one line for each pairing.

import Foundation
import Shared

private struct Player {
  let name: String
  /// `nil` for a player that moves at random.
  private let strategy: Strategy?

  /// Takes `random`, a level, or a level and the most nodes or playouts of a search: `medium@500`.
  init?(_ name: String) {
    let parts = name.split(separator: "@").map(String.init)
    self.name = name
    switch parts.count {
    case 1 where name == "random": strategy = nil
    case 1:
      guard let level = BotLevel(rawValue: name) else { return nil }
      strategy = Strategy(level: level)
    case 2:
      guard let level = BotLevel(rawValue: parts[0]), let maxNodes = Int(parts[1]) else {
        return nil
      }
      strategy = Strategy(level: level, maxNodes: maxNodes)
    default: return nil
    }
  }

  func move(on board: Board, using random: RandomSource) -> Cell {
    if let strategy { return strategy.move(on: board, using: random) }
    var random = random
    guard let cell = board.openCells.randomElement(using: &random) else {
      preconditionFailure("A running game has an open cell.")
    }
    return cell
  }
}

/// Two players, written `hard:medium`.
private struct Pairing {
  let players: [Player]

  init(_ text: String) throws(UsageError) {
    players = text.split(separator: ":").compactMap { Player(String($0)) }
    guard players.count == 2 else {
      throw UsageError("--pairing takes two of random, easy, medium and hard: hard:medium.")
    }
  }
}

private struct Options {
  var games: [GameInfo] = []
  var pairings: [Pairing] = []
  var count = 100
  var seed = 1

  static let usage =
    "Usage: Tournament [--game NAME] [--games COUNT] [--seed NUMBER] [--pairing hard:medium]"

  static func parse(_ arguments: [String]) throws(UsageError) -> Options {
    var options = Options()
    var reader = ArgumentReader(arguments)
    while let argument = try reader.next() {
      switch argument {
      case .option("--game"):
        let name = try reader.value(of: "--game")
        guard let game = GameInfo.all.first(where: { $0.id == name }) else {
          throw UsageError("There is no game \(name).")
        }
        options.games.append(game)
      case .option("--games"): options.count = try reader.count(of: "--games") ?? options.count
      case .option("--seed"): options.seed = try reader.count(of: "--seed") ?? 0
      case .option("--pairing"):
        options.pairings.append(try Pairing(reader.value(of: "--pairing")))
      case .option(let name): throw UsageError("There is no option \(name).")
      case .operand(let name): throw UsageError("There is no operand \(name).")
      }
    }
    if options.games.isEmpty { options.games = GameInfo.all }
    if options.pairings.isEmpty {
      for pairing in ["easy:random", "medium:easy", "hard:medium"] {
        options.pairings.append(try Pairing(pairing))
      }
    }
    return options
  }
}

/// The results of one player against another.
private struct Tally {
  var (wins, draws, losses) = (0, 0, 0)
  /// How many games differ from each other: equal games prove nothing.
  var distinct: Set<[Cell]> = []
  /// The longest thought and the sum of all thoughts of each player, and their number.
  var (longest, total) = ([Duration.zero, .zero], [Duration.zero, .zero])
  var moves = [0, 0]

  /// Plays one game. The first player has X in even games.
  mutating func play(_ number: Int, of game: GameInfo, _ players: [Player], seed: Int) throws {
    let random = RandomSource(SplitMix64(seed: UInt64(seed) << 32 + UInt64(number)))
    var board = game.board
    var cells: [Cell] = []
    while let turn = board.turn {
      let index = (turn == .x ? 0 : 1) ^ (number & 1)
      let start = ContinuousClock.now
      let cell = players[index].move(on: board, using: random)
      let time = ContinuousClock.now - start
      longest[index] = max(longest[index], time)
      total[index] += time
      moves[index] += 1
      _ = try board.place(turn, at: cell)
      cells.append(cell)
    }
    distinct.insert(cells)
    switch board.outcome?.winner {
    case nil: draws += 1
    case .x: if number & 1 == 0 { wins += 1 } else { losses += 1 }
    case .o: if number & 1 == 0 { losses += 1 } else { wins += 1 }
    }
  }
}

private func printRow(of columns: [String]) {
  let texts = zip(columns, [9, 13, 5, 5, 6, 8, 20, 20]).map { text, width in
    text + String(repeating: " ", count: max(0, width - text.count))
  }
  // Unbuffered, so that a long tournament shows each pairing as soon as it is over.
  FileHandle.standardOutput.write(Data((texts.joined(separator: " ") + "\n").utf8))
}

private func run(_ options: Options) throws {
  printRow(of: [
    "game", "players", "won", "lost", "drawn", "distinct", "mean, longest (ms)", "of the other",
  ])
  func times(_ tally: Tally, _ index: Int) -> String {
    [tally.total[index] / max(tally.moves[index], 1), tally.longest[index]].map { time in
      String(format: "%.2f", time / .milliseconds(1))
    }.joined(separator: ", ")
  }
  for game in options.games {
    for pairing in options.pairings {
      var tally = Tally()
      for number in 0..<options.count {
        try tally.play(number, of: game, pairing.players, seed: options.seed)
      }
      printRow(of: [
        game.id,
        pairing.players.map(\.name).joined(separator: ":"), "\(tally.wins)", "\(tally.losses)",
        "\(tally.draws)", "\(tally.distinct.count)", times(tally, 0), times(tally, 1),
      ])
    }
  }
}

do {
  try run(Options.parse(Array(CommandLine.arguments.dropFirst())))
} catch let error as UsageError {
  print("\(error.message) \(Options.usage)")
  exit(64)
}
