/// Something that continues until it is cancelled: a subscription, or a running workflow.
///
/// Releasing a token does not cancel it, as in Rx and unlike in Combine: the source keeps the
/// subscription. Bind a token with `disposeOnDeactivate(interactor:)` or `disposeOnStop(_:)`, or
/// cancel it.
public protocol Cancellable: AnyObject {
  /// A second call does nothing.
  func cancel()
}

/// A group of cancellables that are cancelled together.
public final class CompositeCancellable: Cancellable {
  private var members: [any Cancellable] = []
  private var isCancelled = false

  public init() {}

  /// Adds a member. If this is cancelled already, the member is cancelled at once.
  public func insert(_ member: any Cancellable) {
    guard !isCancelled else { return member.cancel() }
    members.append(member)
  }

  public func cancel() {
    isCancelled = true
    let members = members
    self.members = []
    for member in members { member.cancel() }
  }
}

/// A cancellable with nothing to cancel.
final class EmptyCancellable: Cancellable {
  func cancel() {}
}
