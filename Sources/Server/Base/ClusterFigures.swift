import Foundation

/// What a node counts of its part in the cluster, for `/metrics`.
struct ClusterFigures {
  /// Whether the engine has just confirmed that this node is alive.
  var isAlive = false
  /// The number of nodes that are alive, as this one sees it.
  var nodes = 0
  /// Commands that the engine has not answered.
  var waitingCommands = 0
  /// How often a connection to the engine has ended, or could not be made.
  var disconnections = 0
  /// Since the start of the process.
  var claimedMatches = 0
  var fencedMatches = 0
  var movedSessions = 0
  var standDowns = 0
  /// By how much the clock of this host is ahead of the engine's.
  var clockSkew: Duration = .zero
  /// When the tools have last made an archive and a backup of the engine; `nil` if they never have.
  var lastArchive: Date?
  var lastBackup: Date?
  /// When a follower has given its last word; `nil` if none ever has.
  var lastFollowerWord: Date?
  /// How long the oldest finished match has waited for a follower.
  var archiveLag: Duration = .zero
  /// `nil` until it was asked for the first time.
  var engine: EngineFigures?
}

/// What a node knows of the engine.
struct EngineFigures {
  /// In bytes.
  var memory = 0
  /// 0 for no limit.
  var maxMemory = 0
  var replicas = 0
  /// How many of them have to confirm what is written.
  var neededReplicas = 0
}
