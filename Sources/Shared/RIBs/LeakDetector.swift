/// Reports objects that outlive the RIB they belonged to.
///
/// Leaks are detected only in a tree whose root was given a detector with `detectLeaks(with:)`.
/// `attachChild` passes it down the tree, so no global is needed. The owner of the detector decides
/// what a leak leads to: tests fail, a debug build may trap.
public final class LeakDetector {
  /// Calls an action once after a delay, and returns a closure that cancels the call.
  public typealias Schedule = (_ delay: Duration, _ action: @escaping () -> Void) -> () -> Void

  /// How long an object may outlive its RIB.
  public static let defaultTimeout: Duration = .seconds(1)

  private let schedule: Schedule
  private let didLeak: (_ description: String) -> Void

  /// - Parameters:
  ///   - schedule: the clock. A test passes one that it advances itself.
  ///   - didLeak: called with the type name of each object that is still alive after its time.
  public init(
    schedule: @escaping Schedule, didLeak: @escaping (_ description: String) -> Void
  ) {
    self.schedule = schedule
    self.didLeak = didLeak
  }

  /// Expects an object to be freed within a time. Returns a token that cancels the expectation.
  @discardableResult
  public func expectDeallocate(
    object: AnyObject, inTime timeout: Duration = defaultTimeout
  ) -> any Cancellable {
    let expectation = Expectation(object)
    expectation.cancelTimer = schedule(timeout) { [didLeak] in
      expectation.cancelTimer = nil
      if let object = expectation.object { didLeak("\(type(of: object))") }
    }
    return expectation
  }

  private final class Expectation: Cancellable {
    private(set) weak var object: AnyObject?
    /// `nil` once the timer has fired or was cancelled.
    var cancelTimer: (() -> Void)?

    init(_ object: AnyObject) { self.object = object }

    func cancel() {
      cancelTimer?()
      cancelTimer = nil
    }
  }
}
