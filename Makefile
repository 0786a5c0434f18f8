# The most frequent commands; CONTRIBUTING.md describes them.

PREFIX = /usr/local
DESTDIR =

.PHONY: all help release install install-files uninstall deb test lint bench generated pictures ci clean
.PHONY: rib game command event option operator

all: ## Build both programs for use: .build/release/tictactoe-server and tictactoe-client
	swift build -c release --product tictactoe-server
	swift build -c release --product tictactoe-client

help: ## List these commands
	@sed -n 's/^\([a-z]*\):[^#]*## /  \1\t/p' Makefile | expand -t 13

programs = $(release)/tictactoe-server $(release)/tictactoe-client
# A folder of its own, so that the next build by hand does not begin anew.
release = .build/install/release
sources = Package.swift $(shell find Sources -type f)

release: $(programs) ## Build what is installed: stripped, with Swift's libraries inside

$(release)/%: $(sources)
	@libraries=$$(swiftc -static-stdlib -print-target-info \
	  | sed -n 's|.*"runtimeResourcePath": "\(.*\)".*|\1|p'); \
	if [ -e "$$libraries/linux/libFoundation.a" ]; then static=--static-swift-stdlib; else \
	  echo "This toolchain has no static libraries, so $* needs the toolchain to run." >&2; fi; \
	set -x; swift build -c release $$static --scratch-path .build/install --product $* \
	  -Xlinker -s -Xlinker -z -Xlinker now
	@touch $@

docs = $(PREFIX)/share/doc/tictactoe
man = $(PREFIX)/share/man/man1
bash = $(PREFIX)/share/bash-completion/completions
fish = $(PREFIX)/share/fish/vendor_completions.d
zsh = $(PREFIX)/share/zsh/site-functions
systemd = $(PREFIX)/lib/systemd/system

units = $(notdir $(wildcard docs/systemd/*))
documents = LICENSE README.md CHANGELOG.md SECURITY.md $(addprefix docs/,PROTOCOL.md playing.md \
  playing-over-ssh.md options.md writing-a-bot.md bots.md performance.md benchmarks.md reliability.md reliability-appendix.md \
  operations.md tls.md operators-socket.md capacity.md accounts.md web.md metrics-and-log.md \
  cluster.md cluster-tls.md) $(wildcard docs/*.svg docs/*.png docs/releases/*.md docs/bots/*.* \
  docs/bots/swift/* docs/tictactoe-server.conf docs/tls/*.c* docs/cluster/* docs/alerts*.yml \
  docs/grafana.json)
# Links to what is only in the source become plain text in what is installed.
source_only = Sources|Tests|\.devcontainer|CONTRIBUTING|architecture|decisions|for-ribs-developers|tutorial|$\
  docker|systemd|completions

# The mode, the source and the target of each file.
define files
644 docs/man/tictactoe-server.1 $(man)/tictactoe-server.1
644 docs/man/tictactoe-client.1 $(man)/tictactoe-client.1
644 docs/completions/tictactoe-server.bash $(bash)/tictactoe-server
644 docs/completions/tictactoe-client.bash $(bash)/tictactoe-client
644 docs/completions/tictactoe-server.fish $(fish)/tictactoe-server.fish
644 docs/completions/tictactoe-client.fish $(fish)/tictactoe-client.fish
644 docs/completions/_tictactoe-server $(zsh)/_tictactoe-server
644 docs/completions/_tictactoe-client $(zsh)/_tictactoe-client
$(foreach unit,$(units),644 docs/systemd/$(unit) $(systemd)/$(unit)$(newline))
$(foreach document,$(documents),644 $(document) $(docs)/$(document)$(newline))
endef
export files

install_program = install -D -m 755 $(release)/$(1) "$(DESTDIR)$(PREFIX)/bin/$(1)"

define newline


endef

install: $(programs) install-files ## Install below DESTDIR and PREFIX (/usr/local)
	$(call install_program,tictactoe-server)
	$(call install_program,tictactoe-client)

# All but the programs.
install-files:
	@set -e; echo "$$files" | while read -r mode source target; do \
	  [ -n "$$target" ] || continue; \
	  echo "$(DESTDIR)$$target"; \
	  install -d "$(DESTDIR)$${target%/*}"; \
	  install -m "$$mode" "$$source" "$(DESTDIR)$$target"; \
	done
	@for unit in $(units); do \
	  sed -i 's|=/usr/bin/|=$(PREFIX)/bin/|' "$(DESTDIR)$(systemd)/$$unit"; \
	done
	@for page in $(filter %.md,$(documents)); do \
	  sed -i -zE 's~\[([^][]*)\]\((\.\./|docs/)*($(source_only))[^)]*\)~\1~g' \
	    "$(DESTDIR)$(docs)/$$page"; \
	done

uninstall: ## Remove what `make install` with the same DESTDIR and PREFIX has installed
	@echo "$$files" | while read -r mode source target; do \
	  [ -z "$$target" ] || rm -f "$(DESTDIR)$$target"; \
	done
	@rm -f "$(DESTDIR)$(PREFIX)/bin/tictactoe-server" "$(DESTDIR)$(PREFIX)/bin/tictactoe-client"
	@rmdir "$(DESTDIR)$(docs)"/docs/*/* "$(DESTDIR)$(docs)"/docs/* "$(DESTDIR)$(docs)"/docs \
	  "$(DESTDIR)$(docs)" 2>/dev/null || true

deb: ## Build the Debian packages, in .build/debian
	docs/debian/build

test: ## Run all tests
	swift test

lint: ## Check the format
	swift format lint --strict --recursive Sources Tests Benchmarks docs Package.swift

bench: ## Count the instructions of a move (a minute); for the rates see Benchmarks/run
	Benchmarks/count

generated: ## Write again what is made from the options of the programs
	UPDATE_GOLDEN=1 swift test --filter GeneratedFileTests

pictures: ## Draw the pictures of the documents again, from the golden frames
	python3 docs/picture.py
	docs/browser.py --check 2>/dev/null || docs/browser.py

ci: ## Run every gate that a change must pass
	.ci/run

clean: ## Remove all build products
	swift package clean
	rm -rf .build/install .build/debian

# The templates write new files, and print the lines to add elsewhere; ADD=yes adds them.
template = Tests/Templates/make $@ "$(NAME)" $(foreach key,PARENT VIEW PROGRAM TITLE ROWS COLUMNS INAROW ADD,\
  $(if $($(key)),$(key)="$($(key))"))

rib: ## Write a new RIB: NAME=Trophy PARENT=OffGame [VIEW=no] [PROGRAM=Server] [ADD=yes]
	@$(template)

game: ## Write a new game: NAME=Five [TITLE="Five by Five"] [ROWS=5 COLUMNS=5 INAROW=4] [ADD=yes]
	@$(template)

command: ## Write a new command of clients: NAME=whoami [ADD=yes]
	@$(template)

event: ## Write a new event of the server: NAME=greeted [ADD=yes]
	@$(template)

option: ## Write a new option: NAME=napTime [PROGRAM=Server] [ADD=yes]
	@$(template)

operator: ## Write a new command of operators: NAME=wink [ADD=yes]
	@$(template)
