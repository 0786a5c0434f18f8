import RIBs
import Testing

@Suite struct ComponentTests {
  @Test func `a component passes on what its parent provides`() {
    let root = RootComponent()
    #expect(ChildComponent(dependency: root).dependency.service === root.service)
  }

  @Test func `shared makes one instance for each property`() {
    let component = ChildComponent(dependency: RootComponent())
    #expect(component.one === component.one)
    #expect(component.two === component.two)
    #expect(component.one !== component.two)
    #expect(component.made == ["one", "two"])
  }

  @Test func `shared makes one instance for each component`() {
    let root = RootComponent()
    #expect(ChildComponent(dependency: root).one !== ChildComponent(dependency: root).one)
  }

  @Test func `nil counts as an instance`() {
    let component = ChildComponent(dependency: RootComponent())
    #expect(component.none == nil)
    #expect(component.none == nil)
    #expect(component.made == ["none"])
  }

  @Test func `a value can be shared too`() {
    let component = ChildComponent(dependency: RootComponent())
    #expect(component.number == component.number)
    #expect(component.made == ["number"])
  }

  @Test func `a shared instance may use other shared instances`() {
    let component = ChildComponent(dependency: RootComponent())
    #expect(component.pair.0 === component.one)
    #expect(component.pair.1 === component.two)
    #expect(component.made == ["pair", "one", "two"])
  }

  @Test func `shared instances are freed with their component`() {
    weak var gone: Service?
    do {
      let component = ChildComponent(dependency: RootComponent())
      gone = component.one
      #expect(gone != nil)
    }
    #expect(gone == nil)
  }

  @Test func `a builder has what the parent's component provides`() {
    let component = ChildComponent(dependency: RootComponent())
    #expect(ServiceBuilder(dependency: component).dependency === component)
  }
}

private final class Service {}

private protocol ChildDependency: Dependency {
  var service: Service { get }
}

private final class RootComponent: EmptyComponent, ChildDependency {
  let service = Service()
}

private final class ServiceBuilder: Builder<ChildComponent> {}

private final class ChildComponent: Component<any ChildDependency> {
  var made: [String] = []

  var one: Service { shared { make(Service()) } }
  var two: Service { shared { make(Service()) } }
  var none: Service? { shared { make(nil) } }
  var number: Int { shared { make(made.count) } }
  var pair: (Service, Service) {
    shared {
      made.append("pair")
      return (one, two)
    }
  }

  private func make<Instance>(_ instance: Instance, property: String = #function) -> Instance {
    made.append(property)
    return instance
  }
}
