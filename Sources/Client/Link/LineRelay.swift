import Shared

/// Takes the server's lines as they are, for a program that speaks the protocol itself.
protocol LineRelay: AnyObject {
  /// Whether there is a session to keep: the link then sends `ping` to a server that is silent.
  var hasSession: Bool { get }
  /// A connection stands. The greeting comes next.
  func linkDidConnect()
  /// A line that is no reply to a command of the link, and no `bye` `moved`. The event is `nil` if
  /// the line is none of this protocol.
  func link(didReceive line: Span<UInt8>, _ event: ReceivedEvent?)
  /// All lines that have arrived together were received.
  func linkDidReceiveAll()
  /// The server has read what was sent.
  func linkDidDrain()
}
