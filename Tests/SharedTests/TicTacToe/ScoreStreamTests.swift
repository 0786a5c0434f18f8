import RIBs
import Shared
import Testing

@Suite struct ScoreStreamTests {
  @Test func `it delivers the current series and each new one`() {
    let stream = MutableScoreStream()
    let reader: any ScoreStream = stream
    var seen: [Score?] = []
    let token = reader.series.subscribe { seen.append($0?.score) }
    var series = Series(PerMark(x: .person("ann"), o: .bot))
    stream.update(with: series)
    series.gameDidEnd(with: Outcome(winner: .x, reason: .resigned))
    stream.update(with: series)
    stream.update(with: nil)
    token.cancel()
    stream.update(with: series)
    #expect(seen == [nil, Score(), Score(x: 1), nil])
    #expect(stream.latest == series)
  }
}
