import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// A real engine and a real Sentinel with TLS, which ask for a certificate and for passwords.
@Suite(.enabled(if: RedisServer.isInstalled && TLSFixture.isAvailable, "no redis-server here"))
struct RedisTLSTests {
  private static let good = [
    "--appendonly", "yes", "--maxmemory-policy", "noeviction", "--requirepass", "sesame",
  ]
  private static let files =
    "ca=\(TLSFixture.path(of: "authority"))&cert=\(TLSFixture.path(of: "host"))"

  private let loop: EventLoop

  init() throws { loop = try EventLoop() }

  private func check(_ url: String, within limit: Duration = .seconds(60)) throws -> [String] {
    let engine = try RedisAddress(url)
    let options = ClusterOptions(engine: engine, replicas: 0, node: "a", advertise: "a")
    return try ClusterStart.check(
      options, on: loop, random: RandomSource(), within: limit, tell: { _ in })
  }

  private func failure(_ url: String) -> String {
    let error = #expect(throws: StartError.self) { try check(url, within: .milliseconds(900)) }
    #expect(error?.code == .unavailable)
    return error?.sentence ?? ""
  }

  private func redis(
    _ certificate: String = "host", _ options: [String] = []
  ) throws -> RedisServer {
    let tls = try RedisServer.tls(with: certificate)
    return try RedisServer(Self.good + tls.options + options, port: tls.port)
  }

  @Test(arguments: ["TLSv1.2", "TLSv1.3"])
  func `an engine with TLS`(version: String) throws {
    let redis = try redis("host", ["--tls-protocols", version])
    let url = "rediss://:sesame@127.0.0.1:\(redis.port)"
    #expect(try check("\(url)?\(Self.files)").count == 1)
    #expect(
      failure("\(url)?ca=\(TLSFixture.path(of: "authority"))").contains("cert=FILE and key=FILE"))
  }

  @Test func `an engine that is not trusted, or has another name`() throws {
    let redis = try redis()
    let stranger = failure(
      "rediss://:sesame@127.0.0.1:\(redis.port)?ca=\(TLSFixture.path(of: "stranger"))")
    #expect(
      stranger == "The engine at rediss://127.0.0.1:\(redis.port) cannot be used. The certificate"
        + " of 127.0.0.1:\(redis.port) was not issued by an authority that this server trusts. If you"
        + " have got a certificate, name its file with ca=FILE in its URL.")
    #expect(
      failure("rediss://:sesame@127.0.0.2:\(redis.port)?\(Self.files)")
        .contains("The certificate of 127.0.0.2:\(redis.port) is for another name or address"))
    let expired = try self.redis("expired")
    #expect(
      failure("rediss://:sesame@localhost:\(expired.port)?\(Self.files)")
        .contains("The certificate of localhost:\(expired.port) has expired."))
  }

  @Test func `TLS to an engine without it, and the other way round`() throws {
    let plain = try RedisServer(Self.good)
    #expect(
      failure("rediss://:sesame@127.0.0.1:\(plain.port)?\(Self.files)").contains(" TLS"))
    let redis = try redis()
    #expect(
      failure("redis://:sesame@127.0.0.1:\(redis.port)").hasSuffix(
        " If it uses TLS on that port, begin its URL with rediss instead of redis."))
  }

  @Test func `Sentinels with TLS and passwords`() throws {
    let redis = try redis()
    let tls = try RedisServer.tls()
    let sentinel = try RedisServer.sentinel(
      of: redis.port, tls.options + ["--requirepass", "open"],
      lines: ["sentinel auth-pass main sesame"], port: tls.port)
    let url = "rediss+sentinel://:sesame@127.0.0.1:\(sentinel.port)/main?\(Self.files)"
    #expect(try check("\(url)&sentinel-password=open").count == 1)
    for (query, reply) in [("", "NOAUTH"), ("&sentinel-password=secret", "WRONGPASS")] {
      let sentence = failure(url + query)
      #expect(sentence.contains(" cannot be used: a Sentinel refuses the log-in: \(reply) "))
      #expect(
        sentence.hasSuffix(
          " Check sentinel-user and sentinel-password of its URL, and the rights of that user."))
      #expect(!sentence.contains("secret"))
    }
  }
}
