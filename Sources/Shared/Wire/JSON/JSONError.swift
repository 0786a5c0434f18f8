/// A line is not UTF-8, not RFC 8259, too deep, or has a key twice in an object.
struct JSONError: Error {}
