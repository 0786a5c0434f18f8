import Shared

/// Why players who are sent to a node may not arrive there.
struct AddressProblem: Equatable {
  /// For people.
  let sentence: String
  /// Whether no game should begin here.
  let preventsGames: Bool
}

/// The address that the node advertises.
extension Cluster {
  /// Checks once whether it leads here. Called when the node listens.
  func checkAddress(connect: @escaping RedisLink.Connect) {
    directory.archives.connect = connect
    addressCheck = AddressCheck(address, timers: timers, random: random, connect: connect) {
      [unowned sessions] in sessions.expected = ($0, $1)
    }
    addressCheck?.onChange = { [unowned self] _ in logAddressProblem() }
    addressCheck?.start()
  }

  /// What is wrong with it; `nil` if nothing is known.
  var addressProblem: AddressProblem? {
    if let (other, isYounger) = node.addressTwin {
      return AddressProblem(
        sentence: "The node \(other) advertises \(address) too. Give each its own address with"
          + " --advertise.", preventsGames: isYounger)
    }
    switch addressCheck?.finding {
    case .otherServer:
      return AddressProblem(
        sentence: "The address \(address), which this node advertises, leads to another server."
          + " Change --advertise.", preventsGames: true)
    case .unreachable(let reason):
      return AddressProblem(
        sentence: "From this host nobody reaches \(address), which this node advertises:"
          + " \(reason). Check --advertise.", preventsGames: false)
    case .arrived, .unknown, nil: return nil
    }
  }

  /// Called after each renewal, because the nodes may have changed.
  func logAddressProblem() {
    let problem = addressProblem
    guard problem != loggedAddressProblem else { return }
    loggedAddressProblem = problem
    log.write(
      problem == nil ? .info : .warning, "advertises",
      [
        "address": .text(address),
        "text": .words(problem?.sentence ?? "Nothing speaks against this address any more."),
      ])
  }
}
