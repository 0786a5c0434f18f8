extension String {
  /// With each control character but the line break replaced: what comes from elsewhere must not
  /// be able to steer the terminal.
  var printable: String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control && scalar != "\n"
      scalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(scalars)
  }
}
