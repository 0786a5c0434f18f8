/// Where a server is. Its description is for people.
struct ServerAddress: Equatable, CustomStringConvertible {
  let host: String
  let port: UInt16

  var description: String { "\(host) port \(port)" }
}
