/// What a person does at the form.
protocol LoggedOutPresentableListener: AnyObject {
  /// A blank one leaves the choice to whoever runs the games.
  func didEnter(name: String)
}
