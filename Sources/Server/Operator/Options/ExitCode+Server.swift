import Shared

extension ExitCode {
  /// What the server or one of its commands means by it, for the page of options and the manual;
  /// `nil` if none ends with it. The help has fewer words.
  var serverMeaning: String? {
    switch self {
    case .ok: "A signal, or the operator, has stopped the server, or a command has succeeded."
    case .refused: "The server has refused a command of `admin`."
    case .usage: "The command line is wrong, or its options do not fit together."
    case .damaged:
      "The data or a backup is damaged or half a copy, or a file is not that of a match."
    case .noInput: "There is no such match, file, folder or backup."
    case .noHost: "There is no such host."
    case .unavailable:
      """
      The server cannot listen, another process uses the folder or the operator's socket, SQLite \
      is missing, the engine of the cluster cannot be used, another program has locked the \
      archive, a command that only reads has found the archive of an older server, or no server \
      answers `admin`.
      """
    case .cannotCreate:
      """
      The folder or its first file cannot be written, or the target of a backup or the engine to \
      restore into is not empty.
      """
    case .ioError: "Reading or writing failed."
    case .nodeNameInUse:
      """
      Another process is the node of the cluster with this name: it is alive at another address, \
      or has taken the name.
      """
    case .configuration:
      "The configuration file is wrong, it does not fit the command line, or there is none."
    }
  }
}
