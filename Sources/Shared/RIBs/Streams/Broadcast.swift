/// Delivers elements to subscribers in the order of subscription; what both kinds of stream are
/// made of.
///
/// All subscribers see all elements in the same order: what is sent during a delivery waits until
/// that delivery is over. Who subscribes gets only what is sent afterwards. Who cancels, even in
/// the middle of a delivery, gets nothing more. When this goes, it ends its subscriptions.
final class Broadcast<Element> {
  private final class Subscription: Cancellable {
    weak var owner: Broadcast?
    var receive: ((Element) -> Void)?
    let joined: Int

    init(owner: Broadcast, joined: Int, receive: @escaping (Element) -> Void) {
      self.owner = owner
      self.joined = joined
      self.receive = receive
    }

    func cancel() {
      // Let go only after the access has ended: what the closure holds may go with it, and cancel
      // this again.
      guard receive.take() != nil else { return }
      owner?.didCancel()
    }
  }

  private var subscriptions: [Subscription] = []
  private var waiting: [Element] = []
  private var sent = 0
  private var isDelivering = false

  deinit {
    for subscription in subscriptions { subscription.cancel() }
  }

  func subscribe(_ receive: @escaping (Element) -> Void) -> any Cancellable {
    let subscription = Subscription(owner: self, joined: sent, receive: receive)
    subscriptions.append(subscription)
    return subscription
  }

  func send(_ element: Element) {
    sent += 1
    // Nobody is there, and nobody who comes gets what was sent before.
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

  private func didCancel() {
    if !isDelivering { removeCancelled() }
  }

  private func removeCancelled() {
    subscriptions.removeAll { $0.receive == nil }
  }
}
