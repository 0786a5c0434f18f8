import Testing

@testable import Tutorial4

/// The exercise of chapter 5.
@Suite struct NumberedWireTests {
  private let receiver = Receiver()

  @Test func `a line that was lost with its carrier arrives on the next one, once`() {
    let (first, second) = (MemoryWire(), MemoryWire())
    let (near, far) = (NumberedWire(over: first.near), NumberedWire(over: first.far))
    far.receiver = receiver
    near.send("a")
    near.send("b")
    first.deliver(limit: 1)
    near.goOn(over: second.near)
    far.goOn(over: second.far)
    near.send("c")
    second.deliver()
    #expect(receiver.lines == ["a", "b", "c"])
  }

  @Test(arguments: ["", "1", "x y", "2 too early", "after x", "after 1"])
  func `a line that is not the next one is ignored`(line: String) {
    let carrier = MemoryWire()
    let far = NumberedWire(over: carrier.far)
    far.receiver = receiver
    carrier.near.send(line)
    carrier.near.send("1 good")
    carrier.deliver()
    #expect(receiver.lines == ["good"])
  }

  private final class Receiver: WireReceiver {
    private(set) var lines: [String] = []

    func didReceive(_ line: String) { lines.append(line) }
  }
}
