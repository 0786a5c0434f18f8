/// The version of both programs, by semantic versioning. Between two releases it is that of the
/// next one with `-dev`. The protocol has its own number.
package enum Version {
  package static let current = "1.1.0-dev"
}
