/// libFuzzer calls this function with each input that it generates.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  if let fault = WebFuzzTarget.fault(of: input.span) { fatalError(fault) }
  return 0
}
