import RIBs

/// __NAME__, as __PARENT__ sees it, and __NAME__'s calls to its router.
protocol __NAME__Routing: Routing {
  /// Detaches the children, whose views belong to __PARENT__.
  func cleanupViews()
}

/// __NAME__'s calls to __PARENT__.
protocol __NAME__Listener: AnyObject {
  /// There is nothing left to do.
  func __name__DidFinish()
}

/// Works without a view, until it has finished.
final class __NAME__Interactor: Interactor, __NAME__Interactable {
  weak var router: (any __NAME__Routing)?
  weak var listener: (any __NAME__Listener)?

  override func willResignActive() {
    router?.cleanupViews()
  }

  func finish() {
    listener?.__name__DidFinish()
  }
}
