/// A command line that cannot be understood. The message is a sentence that says what is allowed.
package struct UsageError: Error, Equatable, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }
}

/// Parses a command line: `--port 7777` or `--port=7777`, operands anywhere, and only operands
/// after `--`.
package struct ArgumentReader {
  package enum Argument: Equatable, Sendable {
    /// With its dashes, without a value.
    case option(String)
    case operand(String)
  }

  private var rest: ArraySlice<String>
  /// The value after `=` of the last option, until it is read.
  private var attached: (option: String, value: String)?
  private var onlyOperands = false

  /// - Parameter arguments: those of the process without its name.
  package init(_ arguments: [String]) {
    rest = arguments[...]
  }

  /// Reads one value, which does not stand on the command line. The errors name it `option`.
  package init(value: String, of option: String) {
    rest = []
    attached = (option, value)
  }

  /// The number of arguments that were not read yet.
  package var remaining: Int { rest.count }

  /// Returns the next option or operand; `nil` at the end.
  ///
  /// - Throws: if the previous option has a value after `=` that was not read.
  package mutating func next() throws(UsageError) -> Argument? {
    if let attached { throw UsageError("\(attached.option) takes no value.") }
    guard let argument = rest.popFirst() else { return nil }
    if argument == "--", !onlyOperands {
      onlyOperands = true
      return try next()
    }
    guard !onlyOperands, argument.hasPrefix("-"), argument != "-" else {
      return .operand(argument)
    }
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else {
      return .option(argument)
    }
    let option = String(argument[..<equals])
    attached = (option, String(argument[argument.index(after: equals)...]))
    return .option(option)
  }

  /// Returns the value of the option that `next` has just returned.
  ///
  /// - Throws: if there is none.
  package mutating func value(of option: String) throws(UsageError) -> String {
    if let attached {
      self.attached = nil
      return attached.value
    }
    guard let value = rest.popFirst() else {
      throw UsageError("\(option) needs a value.")
    }
    return value
  }

  /// Returns the value after `=` of the option that `next` has just returned, or else the next
  /// argument if it is one of `values`; `nil` if there is neither.
  package mutating func optionalValue(in values: [String]) -> String? {
    if let value = attachedValue() { return value }
    guard let next = rest.first, values.contains(next.lowercased()) else { return nil }
    return rest.popFirst()
  }

  /// Returns the value after `=` of the option that `next` has just returned; `nil` if there is
  /// none.
  package mutating func attachedValue() -> String? {
    defer { attached = nil }
    return attached?.value
  }

  /// Returns the value of an option as a TCP port.
  ///
  /// - Throws: if it is not a number in `allowed`.
  package mutating func port(
    of option: String, in allowed: ClosedRange<Int>
  ) throws(UsageError) -> UInt16 {
    try Self.port(try value(of: option), of: option, in: allowed)
  }

  /// Returns a value of an option as a TCP port.
  ///
  /// - Throws: if it is not a number in `allowed`.
  package static func port(
    _ value: String, of option: String, in allowed: ClosedRange<Int>
  ) throws(UsageError) -> UInt16 {
    UInt16(try number(value, of: option, in: allowed))
  }

  /// Returns the value of an option as a number.
  ///
  /// - Throws: if it is not a number in `allowed`.
  package mutating func number(
    of option: String, in allowed: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    try Self.number(try value(of: option), of: option, in: allowed)
  }

  private static func number(
    _ value: String, of option: String, in allowed: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    guard let number = Int(value), allowed.contains(number) else {
      throw UsageError(
        "\(option) takes a number from \(allowed.lowerBound) to \(allowed.upperBound),"
          + " not “\(value)”.")
    }
    return number
  }

  /// Returns the value of an option as a time: `500ms`, `2s`, `1m`. A number without a unit is in
  /// seconds. 0 means never, which is `nil`.
  ///
  /// - Throws: if it is not a time.
  package mutating func duration(of option: String) throws(UsageError) -> Duration? {
    let value = try value(of: option)
    guard let duration = Self.duration(value) else {
      throw UsageError(
        "\(option) takes a time such as 500ms, 30s or 2m, or 0 for never, not “\(value)”.")
    }
    return duration == .zero ? nil : duration
  }

  /// Parses a time: `500ms`, `2s`, `1m`, `12h`, `7d`. A number without a unit is in seconds.
  package static func duration(_ text: String) -> Duration? {
    let units: [String: Duration] = [
      "ms": .milliseconds(1), "s": .seconds(1), "": .seconds(1), "m": .seconds(60),
      "h": .seconds(3_600), "d": .seconds(86_400),
    ]
    return number(text, in: units).map { $1 * $0 }
  }

  /// Returns the value of an option as an upper bound. 0 means no limit, which is `nil`.
  ///
  /// - Throws: if it is not a number of one to nine digits.
  package mutating func count(of option: String) throws(UsageError) -> Int? {
    let value = try value(of: option)
    guard let number = Self.number(value[...]) else {
      throw UsageError("\(option) takes a number, or 0 for no limit, not “\(value)”.")
    }
    return number == 0 ? nil : number
  }

  /// Returns the value of an option as a number of bytes: `512k`, `64m`, `1g`; a number without a
  /// unit is in bytes. 0 means no limit, which is `nil`.
  ///
  /// - Throws: if it is not a size.
  package mutating func size(of option: String) throws(UsageError) -> Int? {
    let size = try size(of: option, "a size such as 65536, 512k, 64m or 1g, or 0 for no limit")
    return size == 0 ? nil : size
  }

  /// Returns the value of an option as a number of bytes in a range. `allowed` describes the range.
  ///
  /// - Throws: if it is not a size, or outside the range.
  package mutating func size(
    of option: String, in range: ClosedRange<Int>, _ allowed: String
  ) throws(UsageError) -> Int {
    let size = try size(of: option, allowed)
    guard range.contains(size) else { throw UsageError("\(option) takes \(allowed).") }
    return size
  }

  private mutating func size(of option: String, _ allowed: String) throws(UsageError) -> Int {
    let (number, unit) = try number(
      of: option, in: ["": 1, "k": 1_024, "m": 1_048_576, "g": 1_073_741_824], allowed)
    return number * unit
  }

  /// Returns the value of an option as a percentage. 0 means no limit, which is `nil`.
  ///
  /// - Throws: if it is not a number from 0 to 100.
  package mutating func percent(of option: String) throws(UsageError) -> Int? {
    let value = try value(of: option)
    guard let number = Self.number(value[...]), number <= 100 else {
      throw UsageError("\(option) takes a number from 1 to 100, or 0 for no limit, not “\(value)”.")
    }
    return number == 0 ? nil : number
  }

  /// Returns the value of an option as a number with a unit. `allowed` describes the allowed values
  /// in the error.
  private mutating func number<Unit>(
    of option: String, in units: [String: Unit], _ allowed: String
  ) throws(UsageError) -> (Int, Unit) {
    let value = try value(of: option)
    guard let found = Self.number(value, in: units) else {
      throw UsageError("\(option) takes \(allowed), not “\(value)”.")
    }
    return found
  }

  private static func number<Unit>(_ value: String, in units: [String: Unit]) -> (Int, Unit)? {
    let digits = value.prefix { $0.isNumber }
    guard let number = number(digits), let unit = units[String(value[digits.endIndex...])] else {
      return nil
    }
    return (number, unit)
  }

  /// Parses one to nine digits, without a sign. With any unit, nine digits still make a valid time.
  private static func number(_ text: Substring) -> Int? {
    guard text.utf8.count <= 9, text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    return Int(text)
  }
}
