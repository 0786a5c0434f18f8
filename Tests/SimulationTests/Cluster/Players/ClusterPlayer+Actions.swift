import Foundation
import TestSupport
@testable import Server
@testable import Shared

/// What a player does of its own accord.
extension ClusterPlayer {
  func act() {
    world.time.after(.milliseconds(50)...Duration.milliseconds(1_200)) { [weak self] in
      guard let self else { return }
      checkPatience()
      if isIn, wire != nil { actOnce() }
      act()
    }
  }

  private func checkPatience() {
    guard wire != nil else { return }
    let waiting = pending.first?.time ?? (isIn ? nil : connectTime)
    guard let waiting else { return }
    if let calm = world.calmSince {
      if world.now - max(waiting, calm) > ClusterWorld.returnTime {
        world.fail("\(name) waits without end: \(description) at \(node?.name ?? "")")
      }
      // Who has waited for a node that is gone need not wait for longer.
      if waiting < calm, world.now - calm > .seconds(3) {
        lose(comingBackAfter: .milliseconds(10))
      }
    } else if world.now - waiting > patience {
      world.count("lost patience")
      lose(comingBackAfter: .milliseconds(10))
    }
  }

  private func actOnce() {
    if world.calmSince != nil { hasBeenBack = true }
    guard pending.count < 2 else { return }
    if !world.isFinishing, random.happens(percent: 2) {
      world.note("\(name) loses the connection")
      return lose(comingBackAfter: random.duration(.zero...Duration.seconds(2)))
    }
    switch place {
    case .lobby: actInLobby()
    case .waiting: if world.isFinishing || random.happens(percent: 5) { send(.cancel) }
    case .playing: actInMatch()
    case .watching:
      if world.isFinishing || random.happens(percent: 15) {
        send(.leave)
      } else if random.happens(percent: 20) {
        send(random.happens(percent: 50) ? .say("hello \(lastID)") : .sync(seq: nil))
      }
    }
  }

  private func actInLobby() {
    guard !world.isFinishing, pending.isEmpty else { return }
    let game = random.happens(percent: 20) ? "connect" : nil
    let other = random.pick(world.players)?.name ?? name
    switch random.int(1...100) {
    case ...45: send(.start(opponent: nil, game: game))
    case ...50:
      // Both at the same moment.
      guard let other = world.players.filter({ $0.isFree && $0.isElsewhere(than: self) }).first
      else { return }
      world.count("mutual invitations")
      invite(other)
      other.invite(self)
    case ...60:
      let opponent = inviter ?? other
      inviter = nil
      if opponent != name { send(.start(opponent: opponent, game: game)) }
    case ...70: send(.open(game: game))
    case ...85: if let code = random.pick(world.codes.suffix(3)) { send(.join(code: code)) }
    case ...93: if let match = random.pick(world.matches.suffix(4)) { send(.watch(match: match)) }
    default: send(.list(.players))
    }
  }

  private func actInMatch() {
    guard let tracker else { return pending.isEmpty ? send(.sync(seq: nil)) : () }
    if tracker.isOver {
      let goesOn = !world.isFinishing && random.happens(percent: 60)
      return send(goesOn ? .start(opponent: nil, game: nil) : .leave)
    }
    if tracker.board.turn == tracker.you {
      guard let cell = random.pick(tracker.board.openCells) else { return }
      return send(.place(cell, seq: tracker.seq))
    }
    switch random.int(1...100) {
    case ...8: send(.say("hello \(lastID)"))
    case ...16: send(.sync(seq: nil))
    case ...17: send(.resign)
    case ...18: send(.leave)
    default: break
    }
  }
}
