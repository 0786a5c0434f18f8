import Shared

/// Standard input as lines.
final class Keyboard: InputReaderDelegate {
  private var framer = LineFramer(limit: 100)
  private var reader: InputReader?
  private let didType: (String) -> Void
  private let didEnd: () -> Void

  init(
    loop: EventLoop, didType: @escaping (String) -> Void, didEnd: @escaping () -> Void
  ) throws(SystemError) {
    self.didType = didType
    self.didEnd = didEnd
    let reader = try InputReader(loop: loop, descriptor: 0)
    self.reader = reader
    reader.delegate = self
  }

  func inputReader(_ reader: InputReader, didReceive bytes: Span<UInt8>) {
    if !framer.forEachLine(in: bytes, didType) { didEnd() }
  }

  func inputReaderDidEnd(_ reader: InputReader, with error: SystemError?) {
    didEnd()
  }
}
