/// Reports objects that outlive the RIB that they belonged to.
///
/// Off unless somebody hands one to the root with `detectLeaks(with:)`; from there it comes down
/// the tree at `attachChild`, so no global is needed. What a leak leads to is the owner's to say:
/// tests fail, a debug build may trap.
public final class LeakDetector {
  /// Calls an action once after a delay, and returns a closure that cancels the call.
  public typealias Schedule = (_ delay: Duration, _ action: @escaping () -> Void) -> () -> Void

  /// How long an object may outlive its RIB.
  public static let defaultTimeout: Duration = .seconds(1)

  private let schedule: Schedule
  private let didLeak: (_ description: String) -> Void

  /// - Parameters:
  ///   - schedule: the clock; in tests one that the test turns.
  ///   - didLeak: called with the type's name of each object that stayed too long.
  public init(
    schedule: @escaping Schedule, didLeak: @escaping (_ description: String) -> Void
  ) {
    self.schedule = schedule
    self.didLeak = didLeak
  }

  /// Expects an object to be freed in time; the handle takes the expectation back.
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
