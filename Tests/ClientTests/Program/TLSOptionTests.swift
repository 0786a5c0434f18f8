import Foundation
import Shared
import Testing

@testable import Client

/// The options of TLS, on the command line and in the configuration file.
@Suite struct TLSOptionTests {
  private func options(
    _ arguments: [String], file: String = ""
  ) throws -> ClientOptions {
    guard case .play(let settings) = try ClientOptions.parse(arguments) else {
      throw UsageError("nothing to play")
    }
    let other = try ConfigurationFile(path: "config").settings(in: .init(file.utf8))
    return ClientOptions(OptionSetting.merge(settings, over: other))
  }

  @Test(
    arguments: [
      ([], "", false, 7_777, nil), (["--tls"], "", true, 7_778, nil),
      (["--tls", "--port", "443"], "", true, 443, nil),
      (["host:443", "--tls"], "", true, 443, nil),
      (["--tls-ca", "ca.pem"], "", true, 7_778, "ca.pem"),
      (["tictactoes://host"], "", true, 7_778, nil),
      (["tictactoes://host:7777", "--tls", "--tls-ca=a"], "", true, 7_777, "a"),
      (["tictactoe://host", "--tls"], "", true, 7_778, nil),
      (["--tls=no"], "", false, 7_777, nil),
      ([], "tls = yes\ntls-ca = a", true, 7_778, "a"),
      ([], "host = tictactoes://host", true, 7_778, nil),
      (["other"], "host = tictactoes://host", false, 7_777, nil),
      (["other"], "tls = yes", true, 7_778, nil),
      (["--tls=no"], "tls-ca = a", false, 7_777, nil),
      (["--tls-ca=b"], "tls = no", true, 7_778, "b"),
      (["tictactoes://host"], "tls = no", true, 7_778, nil),
      (["--local"], "tls = yes\ntls-ca = a", false, 7_777, nil),
      (["--replay", "./file"], "tls = yes", false, 7_777, nil),
    ] as [([String], String, Bool, UInt16, String?)])
  func `TLS is used if anything asks for it, on its own port`(
    _ arguments: [String], _ file: String, _ usesTLS: Bool, _ port: UInt16, _ caFile: String?
  ) throws {
    let options = try options(arguments, file: file)
    #expect(options.usesTLS == usesTLS)
    #expect(options.port == port)
    #expect(options.caFile == caFile)
    #expect(options.address.usesTLS == usesTLS)
  }

  @Test(arguments: [
    (["--tls=maybe"], "--tls takes yes or no, not “maybe”."),
    (["--tls-ca"], "--tls-ca needs a value."), (["--tls-ca="], "--tls-ca needs a file."),
    (
      ["--tls=no", "--tls-ca", "a"],
      "--tls=no means no TLS, so it cannot be combined with --tls-ca."
    ),
    (
      ["tictactoes://host", "--tls=no"],
      "The URL means TLS, so it cannot be combined with --tls=no."
    ),
    (["--tls", "--local"], "--local plays without a server, so it cannot be combined with --tls."),
    (
      ["--tls-ca", "a", "--replay", "./file"],
      "--replay shows a file without a server, so it cannot be combined with --tls-ca."
    ),
  ])
  func `options that contradict each other are refused with a sentence`(
    _ arguments: [String], _ sentence: String
  ) {
    #expect(throws: UsageError(sentence)) { try options(arguments) }
  }

  @Test func `people see that a connection is encrypted`() {
    #expect("\(ServerAddress(host: "h", port: 1, usesTLS: true))" == "h port 1 (TLS)")
  }
}
