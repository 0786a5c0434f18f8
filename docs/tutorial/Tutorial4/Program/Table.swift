import Shared

/// A table for players at two terminals: the wire of one host, made of two. Both players get each
/// event, and only the one whose turn it is can take matches. It also has words for the players,
/// in lines that begin with `say`.
final class Table: Wire {
  weak var receiver: (any WireReceiver)?
  /// X first. Empty once somebody has gone.
  private var seats: [Seat] = []
  /// What both players have seen last.
  private var heap = Heap()
  private let didEnd: (Table) -> Void

  /// `didEnd` is called once, when a player has gone.
  init(didEnd: @escaping (Table) -> Void) {
    self.didEnd = didEnd
  }

  var isFull: Bool { seats.count == 2 }

  func seat(_ connection: any Connection) {
    let mark: Mark = seats.isEmpty ? .x : .o
    for seat in seats { seat.say("The other player has come.") }
    let wire = TCPWire(connection) { [unowned self] in playerDidGo(mark) }
    let seat = Seat(mark: mark, wire: wire, table: self)
    seats.append(seat)
    seat.say("You play \(mark.rawValue).")
  }

  func send(_ line: String) {
    guard let event = NimEvent(line: line) else { return }
    if case .heap(let heap) = event { self.heap = heap }
    for seat in seats {
      if case .refused = event, seat.mark != heap.turn { continue }
      seat.wire.send(line)
    }
  }

  fileprivate func didReceive(_ line: String, from seat: Seat) {
    switch NimCommand(line: line) {
    case .begin:
      seat.isReady = true
      guard isFull, seats.allSatisfy(\.isReady) else {
        return seat.say("Waiting for the other player.")
      }
      for seat in seats { seat.isReady = false }
      receiver?.didReceive(line)
    case .take:
      guard seat.mark == heap.turn else { return seat.wire.send(NimEvent.heap(heap).line) }
      receiver?.didReceive(line)
    case .leave:
      playerDidGo(seat.mark)
    case nil:
      break
    }
  }

  private func playerDidGo(_ mark: Mark) {
    let all = seats
    guard !all.isEmpty else { return }
    seats = []
    receiver?.didReceive(NimCommand.leave.line)
    for seat in all {
      if seat.mark != mark, heap.outcome == nil { seat.say("The other player has gone.") }
      seat.wire.close()
    }
    didEnd(self)
  }
}

/// A player at a table. The wire that a line came on says whose mark it is.
private final class Seat: WireReceiver {
  let mark: Mark
  let wire: TCPWire
  /// Whether the player has asked for a game that has not begun.
  var isReady = false
  private unowned let table: Table

  init(mark: Mark, wire: TCPWire, table: Table) {
    self.mark = mark
    self.wire = wire
    self.table = table
    wire.receiver = self
  }

  func say(_ words: String) {
    wire.send("say \(words)")
  }

  func didReceive(_ line: String) {
    table.didReceive(line, from: self)
  }
}
