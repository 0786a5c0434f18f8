import Foundation

/// The encoding of characters that the environment asks for.
package enum LocaleEncoding {
  /// Whether text can have any character, because the encoding is UTF-8. Otherwise only ASCII is
  /// safe.
  package static func isUTF8(in environment: [String: String]) -> Bool {
    let name = name(in: environment)
    // A locale that is not installed here, perhaps because it came over ssh, still describes the
    // terminal.
    guard let locale = newlocale(Int32(LC_CTYPE_MASK), name, nil) else {
      return name.lowercased().contains("utf-8") || name.lowercased().contains("utf8")
    }
    defer { freelocale(locale) }
    guard let encoding = nl_langinfo_l(nl_item(CODESET), locale) else { return false }
    return String(cString: encoding) == "UTF-8"
  }

  /// The name of the locale of characters, in the order of `setlocale(3)`; “C” without one.
  private static func name(in environment: [String: String]) -> String {
    ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
  }
}
