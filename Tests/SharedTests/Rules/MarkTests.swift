import Shared
import Testing

@Suite struct MarkTests {
  @Test func `each mark has its own value`() {
    var values = PerMark(x: 1, o: 2)
    values[.o] = 3
    #expect(values[.x] == 1)
    #expect(values[.o] == 3)
    values[.x] = 4
    #expect(values == PerMark(x: 4, o: 3))
    #expect(values.swapped == PerMark(x: 3, o: 4))
  }
}
