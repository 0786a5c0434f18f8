// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // With these checks a move costs more than twice as many instructions; see docs/decisions.md, 16.
  // The debug build has them, and all tests run in it.
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

let package = Package(
  name: "tictactoe",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "tictactoe-server", targets: ["Server"]),
    .executable(name: "tictactoe-client", targets: ["Client"]),
  ],
  dependencies: [],
  targets: [
    // Glibc does not export <sys/epoll.h>; this module map does.
    .systemLibrary(name: "CEpoll", path: "Sources/Shared/Transport/CEpoll"),
    .target(
      name: "Shared",
      dependencies: [.target(name: "CEpoll", condition: .when(platforms: [.linux]))],
      exclude: ["Transport/CEpoll"],
      swiftSettings: settings
    ),
    .executableTarget(name: "Server", dependencies: ["Shared"], swiftSettings: settings),
    .executableTarget(name: "Client", dependencies: ["Shared"], swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["Shared"], path: "Tests/Support",
      exclude: ["TLS/Certificates"], swiftSettings: settings),
    // Reads the sources and the documents.
    .testTarget(name: "ArchitectureTests", swiftSettings: settings),
    .testTarget(
      name: "SharedTests", dependencies: ["Shared", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ServerTests", dependencies: ["Server", "Shared", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ClientTests", dependencies: ["Client", "Shared", "TestSupport"],
      exclude: ["Fuzz/Transcripts", "Golden"], swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests", dependencies: ["Client", "Server", "Shared", "TestSupport"],
      exclude: ["Programs/netcat.txt", "Screen/Frames"], swiftSettings: settings),
    .testTarget(
      name: "SimulationTests", dependencies: ["Client", "Server", "Shared", "TestSupport"],
      swiftSettings: settings),
  ]
)

#if os(Linux)
  // What measures them; see docs/performance.md. Both programs in C wait with epoll(7).
  package.targets += [
    .executableTarget(name: "BenchmarkLoad", path: "Benchmarks/Load"),
    .executableTarget(name: "BenchmarkFloor", path: "Benchmarks/Floor"),
    .executableTarget(
      name: "BenchmarkMicro", dependencies: ["Shared"], path: "Benchmarks/Micro",
      swiftSettings: settings),
    // See docs/bots.md.
    .executableTarget(
      name: "Tournament", dependencies: ["Shared"], path: "Benchmarks/Tournament",
      swiftSettings: settings),
    // See docs/reliability.md.
    .executableTarget(
      name: "Soak", dependencies: ["Shared", "TestSupport"], path: "Tests/Soak",
      swiftSettings: settings),
    .executableTarget(
      name: "Attack", dependencies: ["Shared", "TestSupport"], path: "Tests/Attack",
      swiftSettings: settings),
  ]
#endif
