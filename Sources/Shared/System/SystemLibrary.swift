#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A library that is loaded at run time, so that nothing but the toolchain is needed to build.
package struct SystemLibrary: Sendable {
  /// The library, or one of its functions, is not there.
  package struct MissingError: Error, Equatable {
    /// A sentence for people that says what to install.
    package let sentence: String
  }

  private let handle: UInt
  private let hint: String

  /// Loads the first of these files that there is. `hint` is the end of a sentence for people: how
  /// to install the library.
  ///
  /// - Throws: if there is none.
  package init(anyOf names: [String], named name: String, hint: String) throws(MissingError) {
    self.hint = hint
    for name in names {
      if let library = dlopen(name, RTLD_NOW) {
        handle = UInt(bitPattern: library)
        return
      }
    }
    throw MissingError(sentence: "The library \(name) is missing. \(hint)")
  }

  /// Returns a function of the library. `Function` must be its type in C.
  ///
  /// - Throws: if the library does not have it.
  package func function<Function>(
    _ name: String, as type: Function.Type = Function.self
  ) throws(MissingError) -> Function {
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: handle), name) else {
      throw MissingError(sentence: "The library has no \(name). \(hint)")
    }
    return unsafeBitCast(symbol, to: type)
  }
}
