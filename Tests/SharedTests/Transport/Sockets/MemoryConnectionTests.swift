import Shared
import TestSupport
import Testing

/// The connection in memory behaves like a real one.
@Suite struct MemoryConnectionTests {
  private let network = MemoryNetwork(seed: 1)

  @Test func `onClose is called when the peer has received everything`() {
    let (near, far) = network.connect()
    var closings = 0
    near.onClose = { closings += 1 }
    near.send("bye")
    near.close()
    #expect(closings == 0)
    network.run()
    #expect(closings == 1)
    #expect(far.takeReceived() == Array("bye".utf8))
    near.reset()
    #expect(closings == 1)
  }

  @Test func `a reset fails the peer, discards queued bytes, and calls onClose at once`() {
    let (near, far) = network.connect()
    let recorders = [ConnectionRecorder(), ConnectionRecorder()]
    near.delegate = recorders[0]
    far.delegate = recorders[1]
    var closings = 0
    near.onClose = { closings += 1 }
    near.send("never")
    near.reset()
    near.reset()
    #expect(closings == 1)
    network.run()
    #expect(recorders[0].ends.isEmpty)
    #expect(recorders[1].ends == [.failed(SystemError(call: "recv", code: 104))])
    #expect(recorders[1].received.isEmpty)
  }

  @Test func `onClose follows the delegate's call for a failure`() {
    let (near, far) = network.connect()
    let recorder = ConnectionRecorder()
    near.delegate = recorder
    var endsAtClose: [Int] = []
    near.onClose = { endsAtClose.append(recorder.ends.count) }
    far.cut()
    #expect(endsAtClose == [1])
  }
}
