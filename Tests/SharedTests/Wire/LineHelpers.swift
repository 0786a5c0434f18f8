import Shared

/// What the server makes of a line: a request, `nil` for a blank line, or an error.
func decoded(_ line: String) throws(LineError) -> Request? {
  try decoded(Array(line.utf8))
}

func decoded(_ line: [UInt8]) throws(LineError) -> Request? {
  let decoder = CommandDecoder()
  return try decoder.decode(line.span)
}

/// The error of a line; `nil` if it has none.
func refusal(_ line: String) -> LineError? {
  refusal(Array(line.utf8))
}

func refusal(_ line: [UInt8]) -> LineError? {
  do {
    _ = try decoded(line)
    return nil
  } catch {
    return error
  }
}

/// What a client makes of a line.
func received(_ line: String) throws(LineError) -> ReceivedEvent {
  var decoder = EventDecoder()
  return try decoder.decode(Array(line.utf8).span)
}

/// The line of an event, without its LF.
func line(_ event: Event, re: RequestID? = nil) -> String {
  var bytes: [UInt8] = []
  EventEncoder.append(event, re: re, to: &bytes)
  return String(decoding: bytes.dropLast(), as: UTF8.self)
}

/// The line of a command, without its LF.
func line(_ command: Command, id: RequestID? = nil) -> String {
  var bytes: [UInt8] = []
  CommandEncoder.append(command, id: id, to: &bytes)
  return String(decoding: bytes.dropLast(), as: UTF8.self)
}
