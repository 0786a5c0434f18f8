/// Something that goes on until it is cancelled: a subscription, a running workflow.
///
/// Unlike a token of Combine's, one that is let go does not cancel: its source keeps the
/// subscription, as in Rx. Bind it to a life with `disposeOnDeactivate(interactor:)`,
/// `disposeOnStop(_:)`, or cancel it.
public protocol Cancellable: AnyObject {
  /// Ends it. A second call does nothing.
  func cancel()
}

/// Several cancellables that end together.
public final class CompositeCancellable: Cancellable {
  private var members: [any Cancellable] = []
  private var isCancelled = false

  public init() {}

  /// Adds a member; where this is cancelled already, the member is cancelled at once.
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

/// A cancellable that has nothing to end.
final class EmptyCancellable: Cancellable {
  func cancel() {}
}
