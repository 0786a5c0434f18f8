/// Where a session that is logged in is. The raw values are those of the wire.
package enum SessionPlace: String, CaseIterable, Sendable {
  case lobby, waiting, playing, watching
}
