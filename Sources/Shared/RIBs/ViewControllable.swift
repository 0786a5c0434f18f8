/// A view as routers see it: on the client something that draws on the terminal, on the server
/// something that writes to the network. The name is that of RIBs-iOS.
public protocol ViewControllable: AnyObject {}

/// Shows the view of a root RIB.
public protocol Window: AnyObject {
  func show(_ root: any ViewControllable)
}
