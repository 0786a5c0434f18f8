import Foundation

extension Terminal {
  /// Returns the width of the terminal that a descriptor writes to; `nil` if it is no terminal, or
  /// one that does not know its width.
  static func columns(of descriptor: Int32) -> Int? {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return nil }
    return Int(window.ws_col)
  }
}
