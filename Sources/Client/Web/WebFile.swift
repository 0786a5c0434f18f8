import Shared

/// The files of the page.
enum WebFile {
  /// Paths that lead to the page and then to what they name.
  private static let links = ["start", "join", "watch", "replay", "game"]

  static func response(to request: HTTPRequest) -> HTTPResponse {
    guard ["GET", "HEAD"].contains(request.method) else { return HTTPResponse(.methodNotAllowed) }
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
    guard let file else { return HTTPResponse(.notFound) }
    return HTTPResponse(
      body: file.body, contentType: "\(file.type); charset=utf-8", fields: protection)
  }

  /// Nothing from elsewhere is loaded, and no other page may show this one in a frame.
  private static let protection = [
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self';"
      + " connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
      + " frame-ancestors 'none'",
    "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
  ]
}
