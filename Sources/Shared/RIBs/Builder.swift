/// Builds a RIB. Each RIB's `XBuildable` refines this with the `build` method that the parent calls
/// and that tests replace.
public protocol Buildable: AnyObject {}

/// The base class of builders: holds what the parent's component provides.
open class Builder<DependencyType>: Buildable {
  public let dependency: DependencyType

  public init(dependency: DependencyType) {
    self.dependency = dependency
  }
}

/// What a RIB needs from its parent. Each RIB declares its own protocol, which refines this one,
/// and the parent's component conforms to it.
public protocol Dependency: AnyObject {}

/// The dependency of a RIB that needs nothing.
public protocol EmptyDependency: Dependency {}

/// Creates and holds the objects that a RIB and its children need, in addition to those that its
/// parent provides.
open class Component<DependencyType>: Dependency {
  /// What the parent provides.
  public let dependency: DependencyType
  private var sharedInstances: [String: AnyObject] = [:]

  public init(dependency: DependencyType) {
    self.dependency = dependency
  }

  /// Returns the one instance of the property that calls this. The first call makes it.
  ///
  /// ```swift
  /// var scoreStream: ScoreStream { shared { ScoreStream() } }
  /// ```
  ///
  /// Each component calls `factory` once; `nil` counts as an instance. Do not pass `property`: it
  /// is the key of the instance, and the compiler fills it in.
  public final func shared<Instance>(
    property: String = #function, _ factory: () -> Instance
  ) -> Instance {
    if let box = sharedInstances[property] as? Box<Instance> { return box.instance }
    let instance = factory()
    sharedInstances[property] = Box(instance)
    return instance
  }
}

/// The component of a root, which has no parent.
open class EmptyComponent: EmptyDependency {
  public init() {}
}

private final class Box<Instance> {
  let instance: Instance

  init(_ instance: Instance) { self.instance = instance }
}
