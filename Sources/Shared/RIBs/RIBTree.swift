/// A router that describes its RIB in a printed tree.
public protocol RIBDetail: AnyObject {
  /// One line of text.
  var detail: String { get }
}

/// A printed RIB tree: one line for each RIB, indented two spaces more than its parent, in the
/// order of attachment.
public struct RIBTree {
  public private(set) var lines: [String] = []
  /// The number of RIBs that were omitted because of `maxLines`.
  public private(set) var more = 0

  public init(_ root: any Routing, maxLines: Int) {
    add(root, indent: "", maxLines)
  }

  private mutating func add(_ router: any Routing, indent: String, _ maxLines: Int) {
    if lines.count < maxLines {
      let detail = (router as? any RIBDetail).map { ": \($0.detail)" } ?? ""
      lines.append(indent + Self.name(of: router) + detail)
    } else {
      more += 1
    }
    for child in router.children { add(child, indent: indent + "  ", maxLines) }
  }

  /// The name of the RIB: the type name of its router without `Router`.
  private static func name(of router: any Routing) -> String {
    let type = "\(type(of: router))"
    return type.hasSuffix("Router") ? String(type.dropLast("Router".count)) : type
  }
}
