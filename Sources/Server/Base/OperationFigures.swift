import Foundation
import Shared

/// What alerts need to know of the server, besides its counters.
struct OperationFigures {
  /// The limits that the options set; `nil` for none.
  var maxConnections: Int?
  var maxMatches: Int?
  var isDraining = false
  /// Whether the server runs with its configuration as it is.
  var hasGoodConfiguration = true
  /// When the configuration was last read.
  var configurationRead = Date(timeIntervalSince1970: 0)
  /// Lines that the log has lost.
  var droppedLines = 0
  /// `nil` if nothing is kept.
  var data: DiskFigures?
}
