/// A router that has something to say of itself where the tree is shown to people.
public protocol RIBDetail: AnyObject {
  /// In one line.
  var detail: String { get }
}

/// The tree as it is now, for people: one line a RIB, two spaces further in than its parent's, in
/// the order of attachment.
public struct RIBTree {
  public private(set) var lines: [String] = []
  /// How many RIBs have no line, because there were enough.
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

  /// The name of the RIB: that of its router's type, without the word.
  private static func name(of router: any Routing) -> String {
    let type = "\(type(of: router))"
    return type.hasSuffix("Router") ? String(type.dropLast("Router".count)) : type
  }
}
