import Testing

/// Counts the parameters of the initializers of classes. Those of structs are values, of which one
/// sees at the call what belongs to what.
@Suite struct InitializerTests {
  private static let maxParameters = 7

  @Test func `no class is made with more than seven parameters`() throws {
    for path in try Project.files(in: "Sources") where path.hasSuffix(".swift") {
      let lines = try Project.text("Sources/\(path)").split(
        separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() where Self.begins(line, with: ["init(", "init?("]) {
        let rest = lines[number...].joined(separator: "\n")
        let count = Self.parameters(of: rest)
        guard count > Self.maxParameters, Self.isInClass(lines[..<number], line) else { continue }
        Issue.record(
          """
          The initializer in Sources/\(path), line \(number + 1), has \(count) parameters. Put \
          those that belong together into a configuration or context, a struct of the same room.
          """)
      }
    }
  }

  @Test func `parameters are counted without those of closures and generic types`() {
    #expect(Self.parameters(of: "init() {}") == 0)
    #expect(Self.parameters(of: "init(_ a: Int) {}") == 1)
    #expect(
      Self.parameters(of: "init(a: (Int, Int) -> Void, b: [Int: Int] = [1: 2, 3: 4]) {}") == 2)
    #expect(Self.parameters(of: "init(\n  a: Result<Int, Never>, b: Int\n) {}") == 2)
  }

  /// Whether a line begins with one of these, after its modifiers.
  private static func begins(_ line: Substring, with words: [String]) -> Bool {
    let modifiers: Set<Substring> = [
      "package", "public", "private", "fileprivate", "override", "convenience", "required", "final",
      "open",
    ]
    let rest = line.split(separator: " ").drop { modifiers.contains($0) }
    return rest.first.map { first in words.contains { first.hasPrefix($0) } } ?? false
  }

  /// Whether the innermost type around a line is a class.
  private static func isInClass(_ before: ArraySlice<Substring>, _ line: Substring) -> Bool {
    let depth = line.prefix { $0 == " " }.count
    let types = ["class", "struct", "enum", "extension", "actor"]
    let around = before.last { other in
      other.prefix { $0 == " " }.count < depth && begins(other, with: types)
    }
    return around.map { begins($0, with: ["class", "actor"]) } ?? false
  }

  private static func parameters(of text: String) -> Int {
    var (depth, commas, isEmpty, last) = (0, 0, true, Character(" "))
    for character in text.drop(while: { $0 != "(" }) {
      switch character {
      case "(", "[", "{", "<": depth += 1
      case ">" where last == "-": break
      case ")", "]", "}", ">": depth -= 1
      case "," where depth == 1: commas += 1
      default: break
      }
      guard depth > 0 else { return isEmpty ? 0 : commas + 1 }
      if !"( \n".contains(character) { isEmpty = false }
      last = character
    }
    return commas + 1
  }
}
