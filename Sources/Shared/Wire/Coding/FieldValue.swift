/// What a line gives for one field of its command.
enum FieldValue {
  case absent
  /// There is something, but not what the field takes.
  case bad
  case integer(Int)
  case text(JSONText)
  /// The place of a choice among those of the field.
  case choice(Int)
}
