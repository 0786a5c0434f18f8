import RIBs

#if canImport(Glibc) && arch(x86_64)
  import Foundation
  import Glibc
  import Testing

  @Suite struct MemoryTests {
    @Test func `an attached RIB without a view takes up to 250 bytes`() async throws {
      // In its own process, because tests that run at the same time would be measured too.
      let child = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        let count = 10_000
        let hall = HallRouter(interactor: HallInteractor())
        hall.attachMatch()
        let before = heapInUse()
        for _ in 0..<count { hall.attachMatch() }
        let bytes = (heapInUse() - before) / count
        withExtendedLifetime(hall) { FileHandle.standardError.write(Data("\(bytes)".utf8)) }
      }
      let output = String(decoding: child?.standardErrorContent ?? [], as: UTF8.self)
      let bytes = try #require(Int(output))
      #expect(bytes <= 250)
    }
  }

  /// The bytes that malloc has handed out, including its headers.
  ///
  /// Glibc's module leaves out `<malloc.h>`. On x86-64 a C function that returns a large struct
  /// takes the address for it as its first argument, so it can be called by its symbol.
  private func heapInUse() -> Int {
    typealias MallInfo2 = @convention(c) (UnsafeMutablePointer<Int>) -> UnsafeMutableRawPointer
    let mallinfo2 = unsafeBitCast(dlsym(nil, "mallinfo2"), to: MallInfo2.self)
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 10) { fields in
      guard let info = fields.baseAddress else { return 0 }
      _ = mallinfo2(info)
      let (hblkhd, uordblks) = (info[4], info[7])
      return uordblks + hblkhd
    }
  }

  private final class HallInteractor: Interactor, MatchListener {
    func matchDidEnd() {}
  }

  private final class HallRouter: Router<HallInteractor> {
    private let builder = MatchBuilder(dependency: EmptyComponent())

    func attachMatch() {
      attachChild(builder.build(withListener: interactor))
    }
  }

  private protocol MatchRouting: Routing {}
  private protocol MatchListener: AnyObject { func matchDidEnd() }
  private protocol MatchInteractable: Interactable {
    var router: (any MatchRouting)? { get set }
    var listener: (any MatchListener)? { get set }
  }

  private final class MatchInteractor: Interactor, MatchInteractable {
    weak var router: (any MatchRouting)?
    weak var listener: (any MatchListener)?
  }

  private final class MatchRouter: Router<any MatchInteractable>, MatchRouting {
    override init(interactor: any MatchInteractable) {
      super.init(interactor: interactor)
      interactor.router = self
    }
  }

  private final class MatchBuilder: Builder<any EmptyDependency> {
    func build(withListener listener: any MatchListener) -> any MatchRouting {
      let interactor = MatchInteractor()
      interactor.listener = listener
      return MatchRouter(interactor: interactor)
    }
  }
#endif
