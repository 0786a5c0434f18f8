/// One end of a wire. A line that is sent arrives at the other end later, after those that were
/// sent before it.
protocol Wire: AnyObject {
  var receiver: (any WireReceiver)? { get set }
  func send(_ line: String)
}

/// Gets the lines that arrive at one end of a wire.
protocol WireReceiver: AnyObject {
  func didReceive(_ line: String)
}
