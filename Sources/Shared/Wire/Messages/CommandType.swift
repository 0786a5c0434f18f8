/// The commands that this version knows, in the order of the protocol's table. What each one is
/// made of stands in its `CommandSpec`; a new command is a case here, one there and one in `Command`.
package enum CommandType: String, CaseIterable, Sendable {
  case login, resume, start, cancel, place, resign, leave, say, watch, list, sync, ping, help, quit
}
