import RIBs

let console = Console { print($0) }
let games = GameRegistry([.ticTacToe, .randomWin])
let root = RootBuilder(dependency: AppComponent(console: console, games: games)).build()
root.launch(from: console)
while let line = readLine() { console.didType(line) }
