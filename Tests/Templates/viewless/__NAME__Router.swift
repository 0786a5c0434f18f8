import RIBs

/// The interactor, as its router sees it.
protocol __NAME__Interactable: Interactable {
  var router: (any __NAME__Routing)? { get set }
  var listener: (any __NAME__Listener)? { get set }
  func finish()
}

final class __NAME__Router: Router<any __NAME__Interactable>, __NAME__Routing {
  func cleanupViews() {
    for child in children { detachChild(child) }
  }
}
