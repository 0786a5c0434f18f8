/// What a RIB needs from its parent. Each RIB states its own as a protocol that refines this one;
/// the parent's component conforms to it.
public protocol Dependency: AnyObject {}

/// The dependency of a RIB that needs nothing.
public protocol EmptyDependency: Dependency {}
