/// A value that is watched: delivers its present value on subscribe, then each that is sent.
///
/// Sending while sending, subscribing while delivering and cancelling while delivering are all
/// normal; see `Broadcast`.
public final class CurrentValue<Element> {
  /// The value sent last.
  public private(set) var value: Element
  /// There once somebody has subscribed.
  private var broadcast: Broadcast<Element>?

  public init(_ value: Element) {
    self.value = value
  }

  /// Takes over the value at once and delivers it to all subscribers, equal to the last or not.
  public func send(_ value: consuming Element) {
    // The old value goes only after the access has ended: whoever it was may ask for the new one.
    swap(&value, &self.value)
    broadcast?.send(self.value)
  }

  /// The read-only end. It keeps this value alive.
  public var stream: Stream<Element> {
    Stream { receive in
      let broadcast = self.broadcast ?? Broadcast()
      self.broadcast = broadcast
      let token = broadcast.subscribe(receive)
      receive(self.value)
      return token
    }
  }
}
