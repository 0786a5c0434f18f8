#if canImport(Glibc)
  import Glibc

  /// Calls an action when a file in one of some folders gets a name or loses it, or a folder does
  /// itself. It costs nothing while nothing happens. The loop owns the watch.
  package final class FolderWatch {
    private unowned let loop: EventLoop
    private let descriptor: Int32
    private let action: () -> Void

    /// - Throws: if the system has no room for the watch, or a folder is not there.
    @discardableResult
    package init(
      loop: EventLoop, paths: [String], action: @escaping () -> Void
    ) throws(SystemError) {
      self.loop = loop
      self.action = action
      descriptor = try systemCall("inotify_init1") {
        inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      }
      do throws(SystemError) {
        let changes =
          IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
        for path in paths {
          _ = try systemCall("inotify_add_watch") {
            inotify_add_watch(descriptor, path, UInt32(changes))
          }
        }
        _ = try loop.watch(descriptor, for: .readable, handler: self)
      } catch {
        close(descriptor)
        throw error
      }
    }
  }

  extension FolderWatch: ReadinessHandler {
    package func descriptorIsReady(_ readiness: Readiness) {
      // What has happened does not matter, only that something has.
      let buffer = loop.receiveBuffer
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      action()
    }

    package func loopDidEnd() { close(descriptor) }
  }
#endif
