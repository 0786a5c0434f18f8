import Shared

extension ServerOptions {
  /// The allowed sizes of the largest file of the journal. The archiver keeps offsets in 32 bits.
  private static let segmentSizes = StoreOptions.minSegment...4_095 * 1_048_576

  /// Sets options one after the other. A later setting of one option replaces an earlier one,
  /// unless the option can be repeated. If the settings are not all (`isWhole`), nothing has to be
  /// there that others need, and there is no `cluster`.
  ///
  /// - Throws: if a value is not allowed, or options do not fit together.
  init(_ settings: [ServerSetting], isWhole: Bool = true) throws(UsageError) {
    self.init()
    var cluster = ClusterSettings()
    var address = AddressLimits.standard
    var linesPerAddress: Int??
    for setting in settings {
      let name = setting.name
      var reader = ArgumentReader(value: setting.value, of: name)
      switch setting.option {
      case .host:
        host = try reader.value(of: name)
        if host == "" { throw UsageError("\(name) needs a value.") }
      case .port: port = try reader.port(of: name, in: 0...65_535)
      case .turn: self.settings.turn = try reader.duration(of: name)
      case .inviteWithin: self.settings.inviteWithin = try reader.duration(of: name)
      case .motd: self.settings.motd = try Self.text(of: name, &reader)
      case .resumeWithin: self.settings.resumeWithin = try reader.duration(of: name)
      case .drain: self.settings.drain = try reader.duration(of: name)
      case .logLevel: log.level = try Self.level(of: name, &reader)
      case .logFormat: log.format = try Self.choice(of: name, &reader)
      case .metrics:
        let value = try reader.value(of: name)
        let address = value == "none" ? nil : try ServingAddress(value, of: name)
        metrics = address.map {
          Endpoint(host: $0.host, port: $0.port, advice: "tictactoe-server --metrics HOST:PORT")
        }
      case .data:
        let folder = try Self.path(of: name, "a folder", &reader)
        data = folder.map { .folder($0) } ?? .nowhere
      case .admin:
        let path = try Self.path(of: name, "the path of a socket", &reader)
        admin = path.map { .path($0) } ?? .nowhere
      case .adminRead: adminRead = try Self.path(of: name, "the path of a socket", &reader)
      case .durability: store.durability = try Self.choice(of: name, &reader)
      case .segment:
        store.maxSegment = try reader.size(
          of: name, in: Self.segmentSizes, "a size from 64k to 4095m")
      case .keep: store.keep = try reader.count(of: name)
      case .cluster: try cluster.setRedis(to: try reader.value(of: name), by: name)
      case .clusterFile: try cluster.setRedis(inFile: try reader.value(of: name), by: name)
      case .clusterReplicas:
        cluster.replicas = (name, try reader.number(of: name, in: ClusterOptions.replicas))
      case .clusterKeep: cluster.keep = (name, try reader.duration(of: name) ?? .zero)
      case .node: try cluster.setNode(to: try reader.value(of: name), by: name)
      case .advertise: try cluster.setAddress(to: try reader.value(of: name), by: name)
      case .loginWithin: self.settings.limits.loginWithin = try reader.duration(of: name)
      case .idle: self.settings.limits.idle = try reader.duration(of: name)
      case .perSecond: self.settings.limits.perSecond = try reader.count(of: name)
      case .burst: self.settings.limits.burst = try reader.count(of: name)
      case .maxConnections: self.settings.limits.connections = try reader.count(of: name)
      case .maxMatches: self.settings.maxMatches = try reader.count(of: name)
      case .maxSpectators: self.settings.maxSpectators = try reader.count(of: name)
      case .maxUnsent: self.settings.limits.unsentBytes = try reader.size(of: name)
      case .trustProxy:
        self.settings.limits.proxies.append(try Self.network(of: name, &reader))
      case .maxPerAddress: address.connections = try reader.count(of: name)
      case .matchesPerAddress: address.matches = try reader.count(of: name)
      case .unsentPerAddress: address.unsentBytes = try reader.size(of: name)
      case .linesPerAddress: linesPerAddress = .some(try reader.count(of: name))
      case .loginsPerAddress: address.loginsPerSecond = try reader.count(of: name)
      case .timePerAddress: address.processorPercent = try reader.percent(of: name)
      }
    }
    self.settings.limits.set(address, linesPerSecond: linesPerAddress)
    if cluster.engine != nil {
      if case .folder = data {
        throw UsageError(
          "In a cluster the engine keeps the matches. Leave --data out, or set it to none.")
      }
      data = .nowhere
    }
    if isWhole { self.cluster = try cluster.options(onHost: ClusterSettings.hostName) }
    // A node joins before it listens, so it does not know a port that the system chooses.
    if port == 0, self.cluster?.advertisesPort == false {
      throw UsageError("With port 0 a node has to say where it is. Set --advertise HOST:PORT.")
    }
  }

  private static func level(
    of option: String, _ reader: inout ArgumentReader
  ) throws(UsageError) -> Log.Level? {
    let value = try reader.value(of: option)
    let word = value.lowercased()
    if word == "off" { return nil }
    guard let level = Log.Level.allCases.first(where: { "\($0)" == word }) else {
      throw UsageError("\(option) takes off, warning, info, debug or trace, not “\(value)”.")
    }
    return level
  }

  /// Returns a value that is one of the cases of a type.
  private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    of option: String, _ reader: inout ArgumentReader
  ) throws(UsageError) -> Choice {
    let value = try reader.value(of: option)
    guard let choice = Choice(rawValue: value.lowercased()) else {
      let names = Choice.allCases.map(\.rawValue)
      let rest = names.count > 1 ? " or \(names[names.count - 1])" : ""
      throw UsageError(
        "\(option) takes \(names.dropLast().joined(separator: ", "))\(rest), not “\(value)”.")
    }
    return choice
  }

  /// Returns a path; `nil` for `none`.
  private static func path(
    of option: String, _ what: String, _ reader: inout ArgumentReader
  ) throws(UsageError) -> String? {
    let value = try reader.value(of: option)
    guard !value.isEmpty else { throw UsageError("\(option) takes \(what), or none.") }
    return value == "none" ? nil : value
  }

  private static func text(
    of option: String, _ reader: inout ArgumentReader
  ) throws(UsageError) -> String {
    let value = try reader.value(of: option)
    let scalars = value.unicodeScalars
    guard (1...Announcement.maxLength).contains(scalars.count),
      scalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw UsageError(
        "\(option) takes 1 to \(Announcement.maxLength) characters without control characters."
      )
    }
    return value
  }

  private static func network(
    of option: String, _ reader: inout ArgumentReader
  ) throws(UsageError) -> IPNetwork {
    let value = try reader.value(of: option)
    guard let network = IPNetwork(value) else {
      throw UsageError(
        "\(option) takes an address or a network such as 10.0.0.0/8, not “\(value)”.")
    }
    return network
  }
}
