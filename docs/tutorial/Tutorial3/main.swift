import RIBs

let console = Console { print($0) }
let isTraced = CommandLine.arguments.contains("--wire")
let wire = MemoryWire { sender, line in
  if isTraced { print(sender == .near ? "    -> \(line)" : "    <- \(line)") }
}

// The far side: in this process today, on another machine in chapter 4.
let host = HostBuilder(dependency: HostAppComponent(wire: wire.far)).build()
host.launch()

// The near side: the program of chapter 2.
let games = GameRegistry([.remoteTicTacToe(over: wire.near), .randomWin, .nim])
let root = RootBuilder(dependency: AppComponent(console: console, games: games)).build()
root.launch(from: console)
while let line = readLine() {
  console.didType(line)
  wire.deliver()
}
