/// The version of both programs, by semantic versioning. The protocol has its own number.
package enum Version {
  package static let current = "1.0.0"
}
