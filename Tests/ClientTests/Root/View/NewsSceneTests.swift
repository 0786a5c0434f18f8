import Shared
import Testing

@testable import Client

/// News of the match on the full screen.
@Suite struct NewsSceneTests {
  private let area = Area(
    corner: Position(row: 4, column: 30), size: Size(rows: 6, columns: 24))

  private func scene(_ body: (inout MatchNews) -> Void) -> NewsScene {
    var scene = NewsScene()
    scene.news.match = "m"
    body(&scene.news)
    return scene
  }

  private func frame(_ scene: NewsScene, now: Duration = .zero) -> Frame {
    var frame = Frame(rows: 14, columns: 60)
    scene.draw(into: &frame, area: area, now: now)
    return frame
  }

  private func text(_ scene: NewsScene, now: Duration = .zero) -> [String] {
    frame(scene, now: now).lines.map(\.trimmed)
  }

  @Test func `without news nothing is drawn or animated`() {
    let frame = frame(scene { _ in })
    #expect(frame.lines.dropFirst() == Frame(rows: 14, columns: 60).lines.dropFirst())
    #expect(!frame.isAnimated && !frame.hasClock)
  }

  @Test func `the beginning of a long message is shown, not its end`() {
    let long = String(repeating: "blah ", count: 40) + "You win: press q."
    let lines = text(scene { $0.add(MatchNews.Remark(from: "bob", text: long)) })
    #expect(lines.contains { $0.contains("bob") && $0.contains("blah") })
    #expect(lines.contains { $0.hasSuffix("…") })
    #expect(!lines.contains { $0.contains("You win") })
    let both = text(
      scene {
        $0.add(MatchNews.Remark(from: "bob", text: long))
        $0.add(MatchNews.Remark(from: "ann", text: "hello"))
      })
    #expect(both.contains { $0.contains("blah") && !$0.contains("You win") })
    #expect(both.contains { $0.contains("ann") && $0.contains("hello") })
  }

  @Test func `the header shows the match id if there is room`() {
    let scene = scene { _ in }
    #expect(text(scene)[0] == "match m")
    var full = Frame(rows: 14, columns: 60)
    full.writeHeader("Tic Tac Toe", "a name that takes a large part of it")
    let before = full
    scene.draw(into: &full, area: area, now: .zero)
    #expect(full == before)
  }

  @Test func `a long sentence about an absence is wrapped where there is room`() {
    let scene = scene {
      $0.absences = [MatchNews.Absence(name: "bob-with-a-long-name", until: .seconds(42))]
    }
    let lines = text(scene)
    #expect(lines[4] == "bob-with-a-long-name is")
    #expect(lines[5] == "away, 0:42 left.")
    var low = Frame(rows: 14, columns: 60)
    let row = Area(corner: area.corner, size: Size(rows: 1, columns: area.size.columns))
    scene.draw(into: &low, area: row, now: .zero)
    #expect(low.lines[4].trimmed == "bob-with-a-long-name is…")
  }

  @Test func `the move time counts down once a second`() {
    let scene = scene { $0.deadline = .seconds(40) }
    #expect(text(scene)[4] == "Time: 0:40")
    #expect(text(scene, now: .milliseconds(30_500))[4] == "Time: 0:10")
    #expect(text(scene, now: .seconds(50))[4] == "Time: 0:00")
    #expect(frame(scene).hasClock)
    #expect(!frame(scene).isAnimated)
  }

  @Test func `the grace period of an absent player counts down`() {
    let scene = scene {
      $0.absences = [MatchNews.Absence(name: "bob", until: .seconds(42))]
    }
    #expect(text(scene)[4] == "bob is away, 0:42 left.")
    #expect(text(scene, now: .seconds(41))[4] == "bob is away, 0:01 left.")
  }

  @Test func `a lost connection is shown over everything with an animation`() {
    let scene = scene { $0.lostSince = .seconds(3) }
    let frame = frame(scene, now: .seconds(15))
    #expect(frame.lines[0].contains("Connection lost. Reconnecting … (12 s)"))
    #expect(frame.isAnimated)
  }

  @Test func `a server that is full says so while the connection is lost`() {
    let scene = scene {
      $0.lostSince = .seconds(3)
      $0.obstacle = "The server is full"
    }
    let shown = frame(scene, now: .seconds(15)).lines[0]
    #expect(shown.contains("The server is full. Trying again … (12 s) Ctrl-C quits"))
    var news = scene.news
    #expect(news.lossTexts(at: .seconds(15)).last == "The server is full … (12 s)")
    let first = news
    news.updated = .seconds(14)
    #expect(
      news.sentences(since: first, ofChat: true)
        == ["Still reconnecting (11 s). The server is full. To stop, type: quit"])
    var old = first
    old.obstacle = nil
    #expect(news.sentences(since: old, ofChat: true) == ["The server is full. Trying again …"])
  }

  @Test func `the last lines of the chat are shown without control characters`() {
    let scene = scene { news in
      for number in 1...9 { news.add(MatchNews.Remark(from: "bob", text: "line \(number)")) }
      news.add(MatchNews.Remark(from: "bob", text: "\u{1B}[2J and more than fits a line"))
    }
    #expect(
      Array(text(scene)[4..<10]) == [
        "\"bob\": line 6", "\"bob\": line 7", "\"bob\": line 8", "\"bob\": line 9",
        "\"bob\": �[2J and more", "than fits a line",
      ])
    #expect(frame(scene).lines[9].dropFirst(30).hasPrefix("  than"))
  }

  @Test func `a muted chat shows only that it is muted`() {
    var scene = scene {
      $0.deadline = .seconds(40)
      $0.add(MatchNews.Remark(from: "bob", text: "hello"))
    }
    scene.isMuted = true
    #expect(text(scene)[0] == "match m · chat muted")
    #expect(text(scene)[4] == "Time: 0:40")
    #expect(!text(scene).contains { $0.contains("hello") })
    var full = Frame(rows: 14, columns: 60)
    full.writeHeader("Tic Tac Toe", "a name that takes room")
    scene.draw(into: &full, area: area, now: .zero)
    #expect(full.lines[0].contains("chat muted"))
    #expect(!full.lines[0].contains("match m"))
  }

  @Test func `a chat message is shown while it is written, and sent once`() {
    var scene = scene { _ in }
    #expect(scene.press(.character("t")) == .unused)
    scene.beginWriting()
    for character in "hallo" { #expect(scene.press(.character(character)) == .used) }
    #expect(text(scene)[12] == "Say: hallo")
    #expect(frame(scene).cursor == Position(row: 12, column: 11))
    #expect(scene.press(.backspace) == .used)
    #expect(scene.press(.enter) == .say("hall"))
    #expect(scene.draft?.text == nil)
    #expect(scene.press(.enter) == .unused)
  }

  @Test func `a blank line or Esc sends nothing`() {
    var scene = scene { _ in }
    scene.beginWriting()
    #expect(scene.press(.character(" ")) == .used)
    #expect(scene.press(.enter) == .used)
    scene.beginWriting()
    #expect(scene.press(.character("x")) == .used)
    #expect(scene.press(.escape) == .used)
    #expect(scene.draft?.text == nil)
  }

  @Test func `a message that cannot be sent yet is kept and marked`() {
    var scene = scene { $0.lostSince = .zero }
    scene.beginWriting()
    for character in "hallo" { _ = scene.press(.character(character)) }
    #expect(scene.press(.enter) == .used)
    #expect(text(scene)[12] == "Not sent yet: hallo")
    scene.news.lostSince = nil
    #expect(text(scene)[12] == "Not sent yet: hallo")
    #expect(scene.press(.enter) == .say("hallo"))
    #expect(scene.draft?.text == nil)
    scene.beginWriting()
    #expect(text(scene)[12] == "Say:")
  }

  @Test func `a message is limited to 200 characters, and its end stays visible`() {
    var scene = scene { _ in }
    scene.beginWriting()
    for _ in 0..<300 { _ = scene.press(.character("x")) }
    _ = scene.press(.character("y"))
    #expect(scene.draft?.text.count == 200)
    _ = scene.press(.backspace)
    _ = scene.press(.character("y"))
    #expect(text(scene)[12].hasSuffix("xy"))
  }

  @Test func `chat needs a match, and the end of the match discards the draft`() {
    var alone = NewsScene()
    alone.beginWriting()
    #expect(alone.draft?.text == nil)
    var scene = scene { _ in }
    scene.beginWriting()
    scene.news.match = nil
    #expect(scene.draft?.text == nil)
  }
}
