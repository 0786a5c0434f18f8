import Shared
import Testing

@testable import Server

@Suite struct NamePatternTests {
  private func matches(_ pattern: String, _ name: String) throws -> Bool {
    NamePattern(pattern).matches(try PlayerName(name).key)
  }

  @Test(arguments: [
    ("ann", "Joanna"), ("ANN", "ann"), ("an*", "anna"), ("*na", "anna"), ("a*a*a", "abacada"),
    ("?nn", "Ann"), ("*", "ann"), ("", "ann"), ("a**b", "ab"), ("аnn", "ann"), ("zo?", "Zoë"),
    ("*ab", "aab"), ("a.b", "xa.by"),
  ])
  func `a pattern finds a name`(pattern: String, name: String) throws {
    #expect(try matches(pattern, name))
  }

  @Test(arguments: [
    ("ann", "bob"), ("nn*", "ann"), ("?nn", "nn"), ("an?", "anna"), ("a*b", "abc"),
    ("a*b*c", "acb"),
  ])
  func `a pattern does not find another name`(pattern: String, name: String) throws {
    #expect(try !matches(pattern, name))
  }
}
