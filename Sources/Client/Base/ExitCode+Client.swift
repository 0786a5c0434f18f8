import Shared

extension ExitCode {
  /// What the client means by it, for the page of options and the manual; `nil` if it never ends
  /// with it. The help has fewer words.
  var clientMeaning: String? {
    switch self {
    case .ok:
      """
      Success. With `--exec`: the program has exited with 0, or a signal to the client has ended \
      it.
      """
    case .usage: "The command line is wrong."
    case .damaged: "The file of `--replay` is damaged, or is no exported match."
    case .noInput: "There is no such file."
    case .noHost: "There is no such host."
    case .unavailable:
      """
      The program cannot connect at its start; with `--tls` also if the server is not to be \
      trusted, or OpenSSL is missing. In a script also: the server refused `--name`, `--start`, \
      `--join`, `--watch` or `--replay`, or the name needs another password; or the connection was \
      lost for longer than the server keeps the session; or the server closed the connection \
      without being asked to. With `--exec` also if the session is lost, or its match has ended \
      meanwhile. On the full screen the form reports a server that cannot be reached, and the \
      address can be corrected there.
      """
    case .ioError:
      """
      Reading or writing failed; or the program of `--exec` could not be started, failed, was \
      ended by a signal, or had to be terminated.
      """
    case .configuration:
      """
      The configuration file, the file with the password, or the file of `--tls-ca` has a mistake \
      or cannot be read.
      """
    case .refused, .cannotCreate, .nodeNameInUse: nil
    }
  }
}
