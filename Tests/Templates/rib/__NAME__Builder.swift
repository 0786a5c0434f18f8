import RIBs

/// Makes __NAME__'s view.
protocol __NAME__ViewMaking {
  func make__NAME__View() -> any __NAME__ViewControllable
}

/// __NAME__'s dependencies, provided by __PARENT__.
protocol __NAME__Dependency: Dependency, __NAME__ViewMaking {}

protocol __NAME__Buildable: Buildable {
  func build(withListener listener: any __NAME__Listener) -> any __NAME__Routing
}

/// Builds __NAME__.
final class __NAME__Builder: Builder<any __NAME__Dependency>, __NAME__Buildable {
  func build(withListener listener: any __NAME__Listener) -> any __NAME__Routing {
    let view = dependency.make__NAME__View()
    let interactor = __NAME__Interactor(presenter: view)
    interactor.listener = listener
    return __NAME__Router(interactor: interactor, viewController: view)
  }
}
