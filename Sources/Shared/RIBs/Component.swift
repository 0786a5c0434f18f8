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
    if let kept = sharedInstances[property] as? Kept<Instance> { return kept.instance }
    let instance = factory()
    sharedInstances[property] = Kept(instance)
    return instance
  }
}

/// The component of a RIB whose parent gives nothing: a root's.
open class EmptyComponent: EmptyDependency {
  public init() {}
}

private final class Kept<Instance> {
  let instance: Instance

  init(_ instance: Instance) { self.instance = instance }
}
