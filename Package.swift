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
    .library(name: "RIBs", targets: ["RIBs"]),
  ],
  dependencies: [],
  targets: [
    // Glibc does not export <sys/epoll.h>; this module map does.
    .systemLibrary(name: "CEpoll", path: "Sources/Shared/Transport/CEpoll"),
    // The one room of Shared that others use by itself.
    .target(name: "RIBs", path: "Sources/Shared/RIBs", swiftSettings: settings),
    .target(
      name: "Shared",
      dependencies: ["RIBs", .target(name: "CEpoll", condition: .when(platforms: [.linux]))],
      exclude: ["RIBs", "Transport/CEpoll"],
      swiftSettings: settings
    ),
    .executableTarget(name: "Server", dependencies: ["RIBs", "Shared"], swiftSettings: settings),
    .executableTarget(
      name: "Client", dependencies: ["RIBs", "Shared"],
      resources: [
        .embedInCode("Web/Page/page.css"), .embedInCode("Web/Page/page.html"),
        .embedInCode("Web/Page/page.js"),
      ],
      swiftSettings: settings),
    // See docs/writing-a-bot.md.
    .executableTarget(name: "SampleBot", path: "docs/bots/swift", swiftSettings: settings),
    // See docs/tutorial/README.md.
    .executableTarget(
      name: "Tutorial1", dependencies: ["RIBs"], path: "docs/tutorial/Tutorial1",
      swiftSettings: settings),
    .executableTarget(
      name: "Tutorial2", dependencies: ["RIBs"], path: "docs/tutorial/Tutorial2",
      swiftSettings: settings),
    .executableTarget(
      name: "Tutorial3", dependencies: ["RIBs"], path: "docs/tutorial/Tutorial3",
      swiftSettings: settings),
    .executableTarget(
      name: "Tutorial4", dependencies: ["RIBs", "Shared"], path: "docs/tutorial/Tutorial4",
      swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["RIBs", "Shared"], path: "Tests/Support",
      exclude: ["TLS/Certificates"], swiftSettings: settings),
    // Reads the sources and the documents.
    .testTarget(name: "ArchitectureTests", swiftSettings: settings),
    // Of the first three chapters; cheap to build.
    .testTarget(
      name: "TutorialTests", dependencies: ["RIBs", "Tutorial1", "Tutorial2", "Tutorial3"],
      swiftSettings: settings),
    .testTarget(
      name: "TutorialWireTests", dependencies: ["RIBs", "Shared", "TestSupport", "Tutorial4"],
      swiftSettings: settings),
    .testTarget(name: "RIBsTests", dependencies: ["RIBs", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "SharedTests", dependencies: ["RIBs", "Shared", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ServerTests", dependencies: ["RIBs", "Server", "Shared", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ClientTests", dependencies: ["Client", "RIBs", "Shared", "TestSupport"],
      exclude: ["Fuzz/Transcripts", "Golden"], swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests", dependencies: ["Client", "RIBs", "Server", "Shared", "TestSupport"],
      exclude: ["Programs/netcat.txt", "Promises/1.0.0", "Promises/make", "Screen/Frames"],
      swiftSettings: settings),
    .testTarget(
      name: "SimulationTests", dependencies: ["Client", "RIBs", "Server", "Shared", "TestSupport"],
      swiftSettings: settings),
  ]
)

#if os(Linux)
  // The programs that measure them; see docs/performance.md. Both programs in C wait with epoll(7).
  package.targets += [
    .executableTarget(name: "BenchmarkLoad", path: "Benchmarks/Load"),
    .executableTarget(name: "BenchmarkFloor", path: "Benchmarks/Floor"),
    .executableTarget(
      name: "BenchmarkMicro", dependencies: ["RIBs", "Shared"], path: "Benchmarks/Micro",
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
