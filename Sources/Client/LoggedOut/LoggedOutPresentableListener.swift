/// What a person does at the form.
protocol LoggedOutPresentableListener: AnyObject {
  /// Fills a field in; while a login is under way nothing can be changed.
  func didChange(field index: Int, to value: String)
  /// Logs in. Where a field has a problem, that becomes the form's alert instead.
  func didSubmit()
  /// Takes a login that is under way back.
  func didCancel()
}
