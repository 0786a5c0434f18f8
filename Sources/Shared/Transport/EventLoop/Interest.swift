/// What a descriptor is watched for.
package struct Interest: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let reading = Interest(rawValue: 1)
  package static let writing = Interest(rawValue: 2)
}
