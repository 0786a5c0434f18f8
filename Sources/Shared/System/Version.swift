/// The version of both programs (semantic versioning); the protocol has a number of its own.
package enum Version {
  package static let current = "0.1.0"
}
