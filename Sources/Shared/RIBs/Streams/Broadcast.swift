/// Delivers elements to subscribers in the order of subscription. `CurrentValue` and `EventSource`
/// are built on it.
///
/// All subscribers get all elements in the same order: an element that is sent during a delivery is
/// delivered after it. A new subscriber gets only the elements that are sent after its
/// subscription. A subscriber that cancels, even during a delivery, gets nothing more. When the
/// broadcast is freed, it cancels its subscriptions.
///
/// Inlinable like all generic code of this module that runs during play; see `SlotList`.
@usableFromInline
final class Broadcast<Element> {
  @usableFromInline
  final class Subscription: Cancellable {
    @usableFromInline weak var owner: Broadcast?
    @usableFromInline var receive: ((Element) -> Void)?
    @usableFromInline let joined: Int

    @inlinable
    init(owner: Broadcast, joined: Int, receive: @escaping (Element) -> Void) {
      self.owner = owner
      self.joined = joined
      self.receive = receive
    }

    @inlinable
    func cancel() {
      // Release the closure only after the access has ended: an object that it holds may be freed
      // with it, and cancel this again.
      guard receive.take() != nil else { return }
      owner?.didCancel()
    }
  }

  @usableFromInline var subscriptions: [Subscription] = []
  @usableFromInline var waiting: [Element] = []
  @usableFromInline var sent = 0
  @usableFromInline var isDelivering = false

  @inlinable
  init() {}

  @inlinable
  deinit {
    for subscription in subscriptions { subscription.cancel() }
  }

  @inlinable
  func subscribe(_ receive: @escaping (Element) -> Void) -> any Cancellable {
    let subscription = Subscription(owner: self, joined: sent, receive: receive)
    subscriptions.append(subscription)
    return subscription
  }

  @inlinable
  func send(_ element: Element) {
    sent += 1
    // Later subscribers do not get earlier elements, so there is nothing to keep.
    guard !subscriptions.isEmpty else { return }
    waiting.append(element)
    guard !isDelivering else { return }
    isDelivering = true
    while !waiting.isEmpty {
      let number = sent - waiting.count + 1
      let element = waiting.removeFirst()
      for subscription in subscriptions where subscription.joined < number {
        subscription.receive?(element)
      }
    }
    isDelivering = false
    removeCancelled()
  }

  @inlinable
  func didCancel() {
    if !isDelivering { removeCancelled() }
  }

  @inlinable
  func removeCancelled() {
    subscriptions.removeAll { $0.receive == nil }
  }
}
