import RIBs

/// The interactor, as its router sees it.
protocol __NAME__Interactable: Interactable {
  var listener: (any __NAME__Listener)? { get set }
}

/// The view of __NAME__.
protocol __NAME__ViewControllable: ViewControllable, __NAME__Presentable {}

/// __NAME__, as __PARENT__ sees it.
protocol __NAME__Routing: ViewableRouting {}

final class __NAME__Router:
  ViewableRouter<any __NAME__Interactable, any __NAME__ViewControllable>, __NAME__Routing
{}
