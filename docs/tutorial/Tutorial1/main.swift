import RIBs

let console = Console { print($0) }
let root = RootBuilder(dependency: AppComponent(console: console)).build()
root.launch(from: console)
while let line = readLine() { console.didType(line) }
