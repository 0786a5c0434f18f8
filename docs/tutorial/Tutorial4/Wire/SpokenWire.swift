/// A wire whose far end also has words for the person: lines that begin with `say`. All others pass.
final class SpokenWire: Wire {
  weak var receiver: (any WireReceiver)?
  private let carrier: any Wire
  private let say: (String) -> Void

  init(over carrier: any Wire, say: @escaping (String) -> Void) {
    self.carrier = carrier
    self.say = say
    carrier.receiver = self
  }

  func send(_ line: String) {
    carrier.send(line)
  }
}

extension SpokenWire: WireReceiver {
  func didReceive(_ line: String) {
    guard line.hasPrefix("say ") else { receiver?.didReceive(line); return }
    say(String(line.dropFirst(4)))
  }
}
