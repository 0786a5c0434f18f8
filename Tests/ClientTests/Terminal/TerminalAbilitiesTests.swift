import Testing

@testable import Client

@Suite struct TerminalAbilitiesTests {
  @Test(
    arguments: [
      (["LANG": "C.UTF-8"], true), (["LC_ALL": "C.UTF-8", "LANG": "C"], true),
      (["LC_CTYPE": "C.UTF-8", "LANG": "C"], true), (["LC_ALL": "", "LANG": "C.UTF-8"], true),
      (["LC_ALL": "C", "LANG": "C.UTF-8"], false),
      (["LC_CTYPE": "POSIX", "LANG": "C.UTF-8"], false),
      ([:], false), (["LANG": ""], false), (["LANG": "C"], false), (["LANG": "POSIX"], false),
      (["LC_NUMERIC": "C.UTF-8", "LC_MESSAGES": "C.UTF-8"], false),
      (["LANG": "ko_KR.EUC-KR"], false), (["LANG": "de_DE.ISO-8859-1"], false),
      // Not installed anywhere.
      (["LANG": "xx_XX.UTF-8"], true), (["LANG": "xx_XX.utf8@modifier"], true),
      (["LANG": "xx_XX"], false), (["LANG": "xx_XX.EUC-KR"], false), (["LANG": "../../x"], false),
    ] as [([String: String], Bool)])
  func `the locale decides whether there is more than ASCII`(
    environment: [String: String], hasUnicode: Bool
  ) {
    let terminal = TerminalAbilities(in: environment.merging(["TERM": "xterm"]) { $1 })
    #expect(terminal.hasUnicode == hasUnicode)
    #expect(terminal.hasSigns == hasUnicode)
    #expect(terminal.hasMouse && terminal.hasColors && terminal.hasBrightColors)
  }

  @Test(arguments: [
    "linux", "linux-16color", "screen.linux", "tmux.linux", "vt100", "vt220-w", "vt52", "dumb",
    "cons25", "ansi", "ansi-m", "sun-color", "wsvt25",
  ])
  func `a console has neither signs nor bright colours nor a mouse`(name: String) {
    let terminal = TerminalAbilities(in: ["LANG": "C.UTF-8", "TERM": name])
    #expect(terminal.hasUnicode && !terminal.hasSigns)
    #expect(!terminal.hasBrightColors && !terminal.hasMouse)
    #expect(terminal.hasColors == !(name.hasPrefix("vt") || name == "dumb"))
  }

  @Test(arguments: [
    "xterm", "xterm-256color", "screen", "tmux-256color", "screen.xterm-256color", "vte-256color",
    "rxvt-unicode", "alacritty", "foot", "xterm-kitty", "st-256color", "linuxterm", "",
  ])
  func `any other terminal has all`(name: String) {
    let terminal = TerminalAbilities(in: ["LANG": "C.UTF-8", "TERM": name])
    #expect(
      terminal.hasSigns && terminal.hasColors && terminal.hasBrightColors && terminal.hasMouse)
  }

  @Test(
    arguments: [
      (nil, "C.UTF-8", "xterm", .all), (nil, "C.UTF-8", "linux", .lettersAndASCII),
      (nil, "C", "xterm", .onlyASCII), (nil, "C", "vt100", .onlyASCII),
      (true, "C.UTF-8", "xterm", .lettersAndASCII), (true, "C", "xterm", .onlyASCII),
      (false, "C", "vt100", .all), (false, "C.UTF-8", "linux", .all),
    ] as [(Bool?, String, String, CharacterRange)])
  func `the option for ASCII wins over the environment`(
    option: Bool?, locale: String, name: String, characters: CharacterRange
  ) {
    let settings = ClientOptions(isASCII: option).screenSettings(in: ["LANG": locale, "TERM": name])
    #expect(settings.characters == characters)
  }

  @Test func `the options for the mouse and for colours win over the terminal`() {
    let environment = ["LANG": "C.UTF-8", "TERM": "vt100"]
    let settings = ClientOptions(hasMouse: true, hasColors: true).screenSettings(in: environment)
    #expect(settings.hasMouse && settings.hasColors && !settings.hasBrightColors)
    #expect(!ClientOptions().screenSettings(in: environment).hasMouse)
    #expect(!ClientOptions().screenSettings(in: environment).hasColors)
  }
}
