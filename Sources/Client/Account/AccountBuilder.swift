import RIBs
import Shared

protocol AccountViewMaking {
  func makeAccountView() -> any AccountViewControllable
}

/// Account's dependencies, provided by OffGame.
protocol AccountDependency: Dependency, AccountViewMaking {
  /// Whether a person is there to type a password.
  var isAttended: Bool { get }
}

protocol AccountBuildable: Buildable {
  func build(
    withListener listener: any AccountListener, accounts: any AccountService,
    purpose: AccountPurpose
  ) -> any AccountRouting
}

/// What a person wants to do with an account.
enum AccountPurpose: Equatable {
  /// Registers the name, or changes its password.
  case setPassword
  /// Gives the name up.
  case unregister
}

/// Builds Account, the RIB that registers a name.
final class AccountBuilder: Builder<any AccountDependency>, AccountBuildable {
  func build(
    withListener listener: any AccountListener, accounts: any AccountService,
    purpose: AccountPurpose
  ) -> any AccountRouting {
    let view = dependency.makeAccountView()
    let interactor = AccountInteractor(
      presenter: view, accounts: accounts, purpose: purpose, isAttended: dependency.isAttended)
    interactor.listener = listener
    return AccountRouter(interactor: interactor, viewController: view)
  }
}
