import RIBs

final class NimView: NimViewControllable {
  weak var listener: (any NimPresentableListener)?
  private let console: Console
  private let players: Players

  init(console: Console, players: Players) {
    self.console = console
    self.players = players
  }

  func show(_ heap: Heap) {
    console.say(String(repeating: "|", count: heap.matches))
    if heap.outcome == nil { console.say("\(players[heap.turn]): take 1, 2 or 3?") }
  }

  func refuse(_ refusal: HeapError) {
    switch refusal {
    case .wrongCount: console.say("You can take 1, 2 or 3 matches that are there.")
    case .gameOver: console.say("The game is over.")
    }
  }

  func announce(_ outcome: Outcome) {
    guard case .won(let mark) = outcome else { return }
    console.say("\(players[mark]) takes the last match and wins.")
  }
}

extension NimView: ConsoleView {
  func didType(_ line: String) {
    guard let count = Int(line) else { return console.say("Type a number.") }
    listener?.take(count)
  }
}
