/// The files of the page, as responses to a browser.
enum WebFile {
  /// Paths that lead to the page and then to what they name.
  private static let links = ["start", "join", "watch", "replay", "game"]

  /// Returns the whole response to a request for a file.
  static func response(to request: WebRequest) -> [UInt8] {
    guard ["GET", "HEAD"].contains(request.method) else {
      return response(status: "405 Method Not Allowed")
    }
    let words = request.path.split(separator: "/")
    let file: (type: String, body: [UInt8])? =
      switch request.path {
      case "/": ("text/html", PackageResources.page_html)
      case "/page.css": ("text/css", PackageResources.page_css)
      case "/page.js": ("text/javascript", PackageResources.page_js)
      default:
        words.first.map { links.contains(String($0)) } == true
          ? ("text/html", PackageResources.page_html) : nil
      }
    guard let file else { return response(status: "404 Not Found") }
    return response(
      status: "200 OK", type: file.type, body: file.body, onlyHead: request.method == "HEAD")
  }

  static func response(status: String) -> [UInt8] {
    response(status: status, type: "text/plain", body: Array("\(status)\n".utf8), onlyHead: false)
  }

  /// Nothing from elsewhere is loaded, and no other page may show this one in a frame.
  private static func response(
    status: String, type: String, body: [UInt8], onlyHead: Bool
  ) -> [UInt8] {
    let policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
      + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    let head =
      "HTTP/1.1 \(status)\r\nContent-Type: \(type); charset=utf-8\r\n"
      + "Content-Length: \(body.count)\r\nContent-Security-Policy: \(policy)\r\n"
      + "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
      + "Cache-Control: no-cache\r\nConnection: close\r\n\r\n"
    return Array(head.utf8) + (onlyHead ? [] : body)
  }
}
