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
