import Shared
import TestSupport

@testable import Client

/// The client program in plain lines, its whole tree over real TCP, and a person who plays one
/// opponent, game after game: reads what is asked, types what is to be done, and starts the program
/// again where it ends before the login.
final class RealClient {
  let name: String
  private(set) var program: Program
  /// What should never have happened.
  private(set) var faults: [String] = []
  /// Whether to ask for the first game now.
  var mayStart: () -> Bool = { true }
  private let opponent: String
  private let games: Int
  private let loop: EventLoop
  private let port: UInt16
  private var hasQuit = false

  init(_ name: String, against opponent: String, games: Int, loop: EventLoop, port: UInt16) {
    self.name = name
    self.opponent = opponent
    self.games = games
    self.loop = loop
    self.port = port
    program = Program(name, loop: loop, port: port)
    begin()
  }

  /// All games are over, and the connection is there.
  var isDone: Bool { program.isOnline && program.gamesEnded >= games && program.isBetweenGames }

  /// Ended by the person, and in peace.
  var hasGone: Bool { hasQuit && program.hasEnded }

  func quit() {
    hasQuit = true
    program.type("quit")
  }

  private func begin() {
    program.onPrompt = { [weak self] in self?.answer($0) }
    program.onEnd = { [weak self] in self?.programDidEnd($0) }
    program.launch()
  }

  /// Without a connection to log in over, it tells so and ends.
  private func programDidEnd(_ exitReport: ExitReport) {
    if hasQuit {
      if exitReport.code != .ok { faults.append("\(name) quits: \(exitReport)") }
    } else if program.hasLoggedIn {
      faults.append("\(name) resigns: \(exitReport)")
    } else {
      loop.schedule(after: .milliseconds(5)) { [weak self] in
        guard let self else { return }
        program = Program(name, loop: loop, port: port)
        begin()
      }
    }
  }

  /// Nobody answers at once, and what is not asked any more is not answered.
  private func answer(_ prompt: Program.Prompt) {
    loop.schedule(after: .milliseconds(2)) { [weak self] in
      guard let self, program.prompt == prompt, !hasQuit else { return }
      if let line = line(for: prompt.text) { program.type(line) } else { answer(prompt) }
    }
  }

  private func line(for prompt: String) -> String? {
    if prompt.hasPrefix("Your name") { return name }
    if prompt.hasPrefix("\(name), put ") { return cell }
    if program.isBetweenGames { return program.gamesEnded < games ? "start" : nil }
    return mayStart() ? "start \(opponent)" : nil
  }

  /// The same in the same game, so that every match is as long as the first.
  private var cell: String? {
    guard let board = program.board, !board.freeCells.isEmpty else { return nil }
    let free = board.freeCells
    let choice = free[program.gamesEnded * 3 % free.count]
    return String(board.shape.index(of: choice) + 1)
  }
}
