import Foundation
import Shared

let arguments = CommandLine.arguments
let isForPairs = arguments.count == 4 && arguments[1] == "serve" && arguments[3] == "pairs"
guard arguments.count == 3 || isForPairs, let port = UInt16(arguments[2]) else {
  print("To serve, type: Tutorial4 serve PORT [pairs]. To play, type: Tutorial4 HOST PORT")
  exit(2)
}

let loop = try EventLoop()
if arguments[1] == "serve" {
  let server = NimServer(isForPairs: isForPairs)
  do {
    print("Nim listens on port \(try server.listen(on: loop, port: port)).")
    try loop.run()
  } catch {
    print("Nim cannot listen on port \(port): \(error).")
    exit(1)
  }
} else {
  let client = NimClient(write: { print($0) }, didEnd: { loop.stop() })
  let keyboard = try Keyboard(
    loop: loop, didType: { client.console.didType($0) }, didEnd: { loop.stop() })
  let connector = Connector(loop: loop, host: arguments[1], port: port) { result in
    switch result {
    case .success(let connection): client.play(over: connection)
    case .failure(let error):
      print("\(error)")
      exit(1)
    }
  }
  try withExtendedLifetime((keyboard, connector)) { try loop.run() }
}
