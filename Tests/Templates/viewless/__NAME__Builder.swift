import RIBs

/// __NAME__'s dependencies, provided by __PARENT__.
protocol __NAME__Dependency: Dependency {}

protocol __NAME__Buildable: Buildable {
  func build(withListener listener: any __NAME__Listener) -> any __NAME__Routing
}

/// Builds __NAME__, a RIB without a view.
final class __NAME__Builder: Builder<any __NAME__Dependency>, __NAME__Buildable {
  func build(withListener listener: any __NAME__Listener) -> any __NAME__Routing {
    let interactor = __NAME__Interactor()
    interactor.listener = listener
    let router = __NAME__Router(interactor: interactor)
    interactor.router = router
    return router
  }
}
