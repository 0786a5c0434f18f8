import RIBs
import Testing

@Suite struct LeakDetectorTests {
  private let clock = ManualClock()
  private let leaks = CallLog()
  private let root = RecordingRouter("root")

  private var detector: LeakDetector {
    LeakDetector(schedule: clock.schedule, didLeak: leaks.record)
  }

  @Test func `without a detector no object is watched`() {
    let child = ViewableRouterMock()
    root.attachChild(child)
    root.detachChild(child)
    #expect(clock.isIdle)
  }

  @Test func `an object that is freed in time is not a leak`() {
    root.detectLeaks(with: detector)
    do {
      let child = ViewableRouterMock()
      root.attachChild(child)
      root.detachChild(child)
    }
    clock.advance(by: LeakDetector.defaultTimeout)
    #expect(leaks.take() == [])
    #expect(clock.isIdle)
  }

  @Test func `a router that is not freed is reported when its time is over, not before`() {
    root.detectLeaks(with: detector)
    let child = RecordingRouter()
    root.attachChild(child)
    root.detachChild(child)
    clock.advance(by: LeakDetector.defaultTimeout - .milliseconds(1))
    #expect(leaks.take() == [])
    clock.advance(by: .milliseconds(1))
    #expect(leaks.take() == ["RecordingRouter"])
  }

  @Test func `an interactor, a presenter and a view that leak are each reported`() {
    root.detectLeaks(with: detector)
    for keep in [
      { $0.interactor }, { $0.interactor.presenter }, { $0.viewController },
    ] as [(ViewableRouterMock) -> AnyObject] {
      var kept: AnyObject?
      do {
        let child = ViewableRouterMock()
        kept = keep(child)
        root.attachChild(child)
        root.detachChild(child)
      }
      clock.advance(by: LeakDetector.defaultTimeout)
      // A presenter retains its view, an interactor retains both.
      let all = ["ViewableInteractorMock", "PresenterMock", "ViewMock"]
      let name = kept.map { "\(type(of: $0))" } ?? ""
      #expect(leaks.take() == Array(all.drop { $0 != name }))
    }
  }

  @Test func `a view that is its own presenter is reported once`() {
    root.detectLeaks(with: detector)
    let view = ViewMock()
    do {
      let interactor = PresentableInteractor<ViewMock>(presenter: view)
      let child = ViewableRouter(interactor: interactor, viewController: view)
      root.attachChild(child)
      root.detachChild(child)
    }
    clock.advance(by: LeakDetector.defaultTimeout)
    #expect(leaks.take() == ["ViewMock"])
  }

  @Test func `a router that is attached again in time is not a leak`() {
    root.detectLeaks(with: detector)
    let child = RecordingRouter()
    root.attachChild(child)
    root.detachChild(child)
    root.attachChild(child)
    #expect(clock.isIdle)
    clock.advance(by: LeakDetector.defaultTimeout)
    #expect(leaks.take() == [])
  }

  @Test func `a router that moved to a tree without a detector is not a leak`() {
    root.detectLeaks(with: detector)
    let (child, other) = (RecordingRouter(), RecordingRouter())
    root.attachChild(child)
    root.detachChild(child)
    other.attachChild(child)
    clock.advance(by: LeakDetector.defaultTimeout)
    #expect(leaks.take() == [])
  }

  @Test func `a router that detaches itself twice is watched once`() {
    root.detectLeaks(with: detector)
    let child = RecordingRouter()
    child.interactor.onResignActive = { [root, unowned child] in root.detachChild(child) }
    root.attachChild(child)
    root.detachChild(child)
    root.attachChild(child)
    clock.advance(by: LeakDetector.defaultTimeout)
    #expect(leaks.take() == [])
  }

  @Test(arguments: [false, true])
  func `the detector reaches grandchildren, attached before or after it`(
    comesLast: Bool
  ) {
    let (child, grandchild) = (RecordingRouter(), RecordingRouter())
    if !comesLast { root.detectLeaks(with: detector) }
    child.attachChild(grandchild)
    root.attachChild(child)
    if comesLast { root.detectLeaks(with: detector) }
    child.detachChild(grandchild)
    clock.advance(by: LeakDetector.defaultTimeout)
    #expect(leaks.take() == ["RecordingRouter"])
  }

  @Test func `a child that outlives its parent is reported`() {
    let child = RecordingRouter()
    do {
      let parent = RecordingRouter()
      parent.detectLeaks(with: detector)
      parent.attachChild(child)
    }
    clock.advance(by: LeakDetector.defaultTimeout)
    #expect(leaks.take() == ["RecordingRouter"])
  }

  @Test func `an expectation can have its own time, and can be cancelled`() {
    let (detector, object) = (detector, ViewMock())
    detector.expectDeallocate(object: object, inTime: .seconds(2)).cancel()
    #expect(clock.isIdle)
    detector.expectDeallocate(object: object, inTime: .seconds(5))
    clock.advance(by: .seconds(4))
    #expect(leaks.take() == [])
    clock.advance(by: .seconds(1))
    #expect(leaks.take() == ["ViewMock"])
  }
}
