import Shared
import TestSupport

@testable import Client

/// Plays one opponent, game after game, with an `InProcessClient`: reads its prompts and types
/// lines. It starts the client again if that ends before the login.
final class AutomatedClient {
  let name: String
  private(set) var program: InProcessClient
  /// Errors that must not happen; empty is a pass.
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
    program = InProcessClient(name, loop: loop, port: port)
    begin()
  }

  /// Whether all games are over and the connection is open.
  var isDone: Bool { program.isOnline && program.gamesEnded >= games && program.isBetweenGames }

  /// Whether the client has ended after `quit`.
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

  /// A client that cannot connect before the login reports that and ends.
  private func programDidEnd(_ exitReport: ExitReport) {
    if hasQuit {
      if exitReport.code != .ok { faults.append("\(name) quits: \(exitReport)") }
    } else if program.hasLoggedIn {
      faults.append("\(name) resigns: \(exitReport)")
    } else {
      loop.schedule(after: .milliseconds(5)) { [weak self] in
        guard let self else { return }
        program = InProcessClient(name, loop: loop, port: port)
        begin()
      }
    }
  }

  /// Types the reply to a prompt after 2 ms, unless the prompt is gone by then.
  private func answer(_ prompt: InProcessClient.Prompt) {
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

  /// The choice depends on the game only, so that every match has the same length.
  private var cell: String? {
    guard let board = program.board, !board.freeCells.isEmpty else { return nil }
    let free = board.freeCells
    let choice = free[program.gamesEnded * 3 % free.count]
    return String(board.shape.index(of: choice) + 1)
  }
}
