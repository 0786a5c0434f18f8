import Foundation
import Shared

/// The part of an engine's URL after the question mark: `ca=FILE&sentinel-password=PASSWORD`. The
/// values may be percent-encoded.
struct RedisQuery {
  private enum Key: String, CaseIterable {
    case ca, cert, key
    case sentinelUser = "sentinel-user"
    case sentinelPassword = "sentinel-password"
  }

  private var values: [Key: String] = [:]

  /// - Throws: if it has anything else in it, or does not fit an engine. The error has no value,
  ///   because that may be a password.
  init(_ text: Substring, usesTLS: Bool, hasSentinels: Bool) throws(UsageError) {
    for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = Key(rawValue: String(parts[0])) else {
        let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("After the question mark there may be: \(keys).")
      }
      guard parts.count == 2, let value = parts[1].removingPercentEncoding, !value.isEmpty,
        value.unicodeScalars.allSatisfy({ $0 != "\0" })
      else { throw UsageError("The value of \(key.rawValue) is missing or badly encoded.") }
      guard values.updateValue(value, forKey: key) == nil else {
        throw UsageError("There may be only one \(key.rawValue).")
      }
    }
    if !usesTLS, values[.ca] != nil || values[.cert] != nil || values[.key] != nil {
      throw UsageError("For ca, cert and key the URL has to begin with rediss.")
    }
    if values[.key] != nil, values[.cert] == nil {
      throw UsageError("A key needs a cert too.")
    }
    if !hasSentinels, values[.sentinelUser] != nil || values[.sentinelPassword] != nil {
      throw UsageError("A user or a password of Sentinels needs Sentinels.")
    }
    if values[.sentinelUser] != nil, values[.sentinelPassword] == nil {
      throw UsageError("A sentinel-user needs a sentinel-password too.")
    }
  }

  /// The files of TLS. A relative path begins at a folder.
  func files(in folder: String?) -> RedisAddress.TLSFiles {
    func path(_ value: String) -> String {
      guard let folder, !value.hasPrefix("/") else { return value }
      return folder.hasSuffix("/") ? folder + value : "\(folder)/\(value)"
    }
    let certificate = values[.cert].map(path)
    return RedisAddress.TLSFiles(
      authorities: values[.ca].map(path),
      // One file may have both.
      identity: certificate.map { ($0, values[.key].map(path) ?? $0) }.map(
        RedisAddress.TLSFiles.Identity.init))
  }

  /// The log-in of the Sentinels; `nil` without one.
  var sentinelLogin: RedisAddress.Login? {
    values[.sentinelPassword].map {
      RedisAddress.Login(user: values[.sentinelUser], password: $0)
    }
  }
}
