import Testing

@testable import Client

@Suite struct TextFieldTests {
  private func field(_ text: String, keys: Key..., maxLength: Int? = nil) -> TextField {
    var field = TextField(text, maxLength: maxLength)
    for key in keys { _ = field.press(key) }
    return field
  }

  @Test func `a character is inserted at the cursor`() {
    #expect(field("ac", keys: .left, .character("b")).text == "abc")
    #expect(field("bc", keys: .home, .character("a")).text == "abc")
    #expect(field("bc", keys: .control("a"), .character("a"), .end, .character("d")).text == "abcd")
    #expect(field("ab", keys: .home, .control("e"), .character("c")).text == "abc")
    #expect(field("ac", keys: .home, .right, .character("b")).text == "abc")
  }

  @Test func `the cursor stays within the text`() {
    #expect(field("ab", keys: .right, .right).cursor == 2)
    #expect(field("ab", keys: .left, .left, .left).cursor == 0)
    var shortened = field("abc")
    shortened.text = "a"
    #expect(shortened.cursor == 1)
  }

  @Test func `Backspace deletes before the cursor, Delete after it`() {
    #expect(field("abc", keys: .left, .backspace).text == "ac")
    #expect(field("abc", keys: .left, .delete).text == "ab")
    #expect(field("abc", keys: .home, .backspace).text == "abc")
    #expect(field("abc", keys: .delete).text == "abc")
  }

  @Test func `Ctrl-U deletes everything before the cursor`() {
    let field = field("one two", keys: .left, .left, .left, .control("u"))
    #expect(field.text == "two")
    #expect(field.cursor == 0)
  }

  @Test(arguments: [
    ("one two", "one "), ("one two  ", "one "), ("one", ""), ("", ""), ("   ", ""), ("a b", "a "),
  ])
  func `Ctrl-W deletes the word before the cursor`(_ text: String, _ rest: String) {
    #expect(field(text, keys: .control("w")).text == rest)
  }

  @Test func `Ctrl-W in the middle of a word leaves the rest of it`() {
    let field = field("one two", keys: .left, .control("w"))
    #expect(field.text == "one o")
    #expect(field.cursor == 4)
  }

  @Test func `a combining character joins the letter before it`() {
    let field = field("e", keys: .character("\u{301}"))
    #expect(field.text == "é")
    #expect(field.cursor == 1)
  }

  @Test func `a character beyond the limit is ignored`() {
    #expect(field("ab", keys: .character("c"), maxLength: 2).text == "ab")
    #expect(field("a", keys: .character("c"), maxLength: 2).text == "ac")
    #expect(field("ab", keys: .backspace, .character("c"), maxLength: 2).text == "ac")
  }

  @Test func `keys without a meaning in a text field are refused`() {
    var field = TextField("ab")
    let keys: [Key] = [.enter, .up, .control("x"), .left]
    #expect(keys.map { field.press($0) } == [false, false, false, true])
    #expect(field == self.field("ab", keys: .left))
  }

  @Test func `the visible part contains the cursor and fits in the columns`() {
    #expect(field("abcdef").visible(in: 4) == ("def", 3))
    #expect(field("abcdef", keys: .home).visible(in: 4) == ("abcd", 0))
    #expect(field("日本語").visible(in: 5) == ("本語", 4))
    #expect(field("ab").visible(in: 4) == ("ab", 2))
    #expect(field("abc").visible(in: 0) == ("", 0))
  }
}
