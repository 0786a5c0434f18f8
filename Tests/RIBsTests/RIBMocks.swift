import RIBs

/// A double of an interactor, as the tutorials write them: not an `Interactor`.
final class InteractableMock: Interactable {
  private let activeness = CurrentValue(false)
  private(set) var activateCallCount = 0
  private(set) var deactivateCallCount = 0

  var isActive: Bool { activeness.value }
  var isActiveStream: Stream<Bool> { activeness.stream }

  func activate() {
    activateCallCount += 1
    activeness.send(true)
  }

  func deactivate() {
    deactivateCallCount += 1
    activeness.send(false)
  }
}

/// A double of a router: not a `Router`.
final class RoutingMock: Routing {
  let interactable: any Interactable = InteractableMock()
  let lifecycle: Stream<RouterLifecycle> = EventSource().stream
  private(set) var children: [any Routing] = []
  private(set) var loadCallCount = 0

  func load() { loadCallCount += 1 }
  func attachChild(_ child: any Routing) { children.append(child) }
  func detachChild(_ child: any Routing) { children.removeAll { $0 === child } }
}

/// A view that shows nothing.
final class ViewMock: ViewControllable {}

final class PresenterMock: Presenter<ViewMock> {}

final class ViewableInteractorMock: PresentableInteractor<PresenterMock> {}

/// The router of a RIB with an interactor, a presenter and a view.
final class ViewableRouterMock: ViewableRouter<ViewableInteractorMock, ViewMock> {
  init() {
    let view = ViewMock()
    super.init(
      interactor: ViewableInteractorMock(presenter: PresenterMock(viewController: view)),
      viewController: view)
  }
}
