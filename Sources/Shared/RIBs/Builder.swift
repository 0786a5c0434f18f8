/// Makes a RIB. Each builder refines this with its `build` method, for its parent to call and for
/// tests to replace.
public protocol Buildable: AnyObject {}

/// The base class of builders: holds what the parent's component gives.
open class Builder<DependencyType>: Buildable {
  public let dependency: DependencyType

  public init(dependency: DependencyType) {
    self.dependency = dependency
  }
}

/// What a RIB needs from its parent. Each RIB states its own as a protocol that refines this one;
/// the parent's component conforms to it.
public protocol Dependency: AnyObject {}

/// The dependency of a RIB that needs nothing.
public protocol EmptyDependency: Dependency {}

/// Makes and holds what a RIB and its children need, on top of what its parent gives.
open class Component<DependencyType>: Dependency {
  /// What the parent gives.
  public let dependency: DependencyType
  private var sharedInstances: [String: AnyObject] = [:]

  public init(dependency: DependencyType) {
    self.dependency = dependency
  }

  /// The one instance of the property that calls this, made at its first use.
  ///
  /// ```swift
  /// var scoreStream: ScoreStream { shared { ScoreStream() } }
  /// ```
  ///
  /// The factory is called once for each component; `nil` is an instance like others. Leave
  /// `property`, the name that the instance is kept under, to the compiler.
  public final func shared<Instance>(
    property: String = #function, _ factory: () -> Instance
  ) -> Instance {
    if let box = sharedInstances[property] as? Box<Instance> { return box.instance }
    let instance = factory()
    sharedInstances[property] = Box(instance)
    return instance
  }
}

/// The component of a RIB whose parent gives nothing: a root's.
open class EmptyComponent: EmptyDependency {
  public init() {}
}

private final class Box<Instance> {
  let instance: Instance

  init(_ instance: Instance) { self.instance = instance }
}
