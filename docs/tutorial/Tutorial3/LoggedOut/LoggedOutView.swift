import RIBs

/// Asks for one name after the other.
final class LoggedOutView: LoggedOutViewControllable {
  weak var listener: (any LoggedOutPresentableListener)?
  private let console: Console
  private var firstName: String?

  init(console: Console) {
    self.console = console
  }

  func askForNames() {
    firstName = nil
    console.say("Who plays X?")
  }
}

extension LoggedOutView: ConsoleView {
  func didType(_ line: String) {
    guard let firstName else {
      firstName = line
      return console.say("Who plays O?")
    }
    listener?.logIn(withPlayer1Name: firstName, player2Name: line)
  }
}
