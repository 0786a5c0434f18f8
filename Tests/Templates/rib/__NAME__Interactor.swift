import RIBs

/// __NAME__'s calls to its view.
protocol __NAME__Presentable: Presentable {
  var listener: (any __NAME__PresentableListener)? { get set }
  /// Shows a sentence; called first, and at each change.
  func show(_ sentence: String)
}

/// The actions of a person at __NAME__'s view.
protocol __NAME__PresentableListener: AnyObject {
  func close()
}

/// __NAME__'s calls to __PARENT__.
protocol __NAME__Listener: AnyObject {
  /// The person goes back.
  func __name__DidFinish()
}

/// Shows a sentence, until the person goes back.
final class __NAME__Interactor: PresentableInteractor<any __NAME__Presentable>, __NAME__Interactable
{
  weak var listener: (any __NAME__Listener)?

  override init(presenter: any __NAME__Presentable) {
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    presenter.show("This is __NAME__.")
  }
}

extension __NAME__Interactor: __NAME__PresentableListener {
  func close() {
    listener?.__name__DidFinish()
  }
}
