/// A source of events: delivers each to those who have subscribed before it was sent.
///
/// Sending while sending, subscribing while delivering and cancelling while delivering are all
/// normal; see `Broadcast`.
public final class EventSource<Element> {
  private let broadcast = Broadcast<Element>()

  public init() {}

  public func send(_ element: Element) {
    broadcast.send(element)
  }

  /// The read-only end. It keeps this source alive.
  public var stream: Stream<Element> {
    Stream { receive in self.broadcast.subscribe(receive) }
  }
}
