import RIBs

/// The interactor, as its router sees it.
protocol HostInteractable: Interactable, GameListener {
  var router: (any HostRouting)? { get set }
}

final class HostRouter: Router<any HostInteractable>, HostRouting {
  private let gameBuilder: any GameBuildable
  private var game: (any Routing)?

  init(interactor: any HostInteractable, gameBuilder: any GameBuildable) {
    self.gameBuilder = gameBuilder
    super.init(interactor: interactor)
  }

  func launch() {
    interactable.activate()
    load()
  }

  func attachGame() {
    detachGame()
    let game = gameBuilder.build(withListener: interactor)
    self.game = game
    attachChild(game)
  }

  func detachGame() {
    if let game { detachChild(game) }
    game = nil
  }
}
