extension EventEncoder {
  /// Appends a `boardDidChange` as it nearly always is: one cell whose numbers have one digit, and a
  /// game that goes on. Answers `false`, and appends nothing, where it is another one. All but the
  /// match and the number is then of one length, and only a few bytes of it differ.
  static func appendPlain(
    _ change: Change, match: String, seq: Int, to line: inout [UInt8]
  ) -> Bool {
    let cell = change.placement.cell
    let (mark, hash) = (change.placement.mark.rawValue, change.hash)
    guard let turn = change.turn?.rawValue, change.others.isEmpty,
      let row = digit(cell.row), let column = digit(cell.column)
    else { return false }
    var match = match
    match.withUTF8 { match in
      line.append(addingCapacity: 6 * match.count + 180) { output in
        output.append(json: #"{"type":"boardDidChange","match":"#)
        output.append(quoted: match)
        output.append(json: #","seq":"#)
        output.append(decimal: seq)
        output.append(json: #","cells":[{"row":0,"col":0,"mark":"X"}],"turn":"X","hash":""#)
        output.withUnsafeMutableBufferPointer { buffer, count in
          buffer[count - 42] = row
          buffer[count - 34] = column
          buffer[count - 24] = mark
          buffer[count - 11] = turn
        }
        output.append(hex: hash)
        output.append(json: "\"}\n")
      }
    }
    return true
  }

  private static func digit(_ number: Int) -> UInt8? {
    (0...9).contains(number) ? UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number) : nil
  }
}
