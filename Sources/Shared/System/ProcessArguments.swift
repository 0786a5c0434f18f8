import Foundation

/// The arguments of this process, as the kernel has given them. `CommandLine` looks for them before
/// the environment; it finds none if a library that was loaded before has moved the environment,
/// which `setenv` does.
package enum ProcessArguments {
  /// Returns the arguments without the program's name.
  ///
  /// - Throws: if one is not valid UTF-8, or if they cannot be read.
  package static func read() throws(UsageError) -> [String] {
    #if os(Linux)
      // Without /proc, as in some chroots, `CommandLine` is the only source.
      if let bytes = FileManager.default.contents(atPath: "/proc/self/cmdline") {
        return try parse(bytes)
      }
    #endif
    guard CommandLine.argc > 0 else {
      throw UsageError("The command line cannot be read, because /proc is not mounted.")
    }
    var bytes = Data()
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      bytes.append(Data(bytes: argument, count: strlen(argument) + 1))
    }
    return try parse(bytes)
  }

  /// Parses arguments that each end with a zero byte; the first one is the program's name.
  ///
  /// - Throws: if one is not valid UTF-8.
  static func parse(_ bytes: Data) throws(UsageError) -> [String] {
    var words = bytes.split(separator: 0, omittingEmptySubsequences: false)
    if words.last?.isEmpty == true { words.removeLast() }
    var arguments: [String] = []
    for word in words.dropFirst() {
      guard let argument = String(validating: word, as: UTF8.self) else {
        throw UsageError(
          "The argument “\(String(decoding: word, as: UTF8.self))” is not valid UTF-8.")
      }
      arguments.append(argument)
    }
    return arguments
  }

  /// Calls `body` with each argument in the memory of this process, to overwrite what `ps` must not
  /// show.
  package static func forEachInMemory(_ body: (UnsafeMutablePointer<CChar>) -> Void) {
    guard let memory = memory else {
      for index in 0..<Int(CommandLine.argc) { CommandLine.unsafeArgv[index].map(body) }
      return
    }
    var argument = memory.lowerBound
    while argument < memory.upperBound {
      body(argument)
      argument += strlen(argument) + 1
    }
  }

  /// The memory with the arguments; `nil` if the kernel does not tell.
  private static var memory: Range<UnsafeMutablePointer<CChar>>? {
    guard let status = FileManager.default.contents(atPath: "/proc/self/stat") else { return nil }
    // The second field is the program's name in parentheses, which may contain anything.
    let fields = String(decoding: status, as: UTF8.self).split(separator: ")").last?
      .split(separator: " ")
    // arg_start and arg_end, fields 48 and 49 of proc_pid_stat(5).
    guard let fields, fields.count > 46, let start = UInt(fields[45]), let end = UInt(fields[46]),
      let first = UnsafeMutablePointer<CChar>(bitPattern: start),
      let last = UnsafeMutablePointer<CChar>(bitPattern: end), first < last
    else { return nil }
    return first..<last
  }
}
