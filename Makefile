# The few commands one needs. Each is what it says in CONTRIBUTING.md, and nothing more.

.PHONY: all test lint bench ci clean

all: ## Build both programs for use: .build/release/tictactoe-server and tictactoe-client
	swift build -c release --product tictactoe-server
	swift build -c release --product tictactoe-client

test: ## Run all tests
	swift test

lint: ## Check the format
	swift format lint --strict --recursive Sources Tests Benchmarks Package.swift

bench: ## Count the instructions of a move (a minute); for the rates see Benchmarks/run
	Benchmarks/count

ci: ## Run every gate that a change has to pass
	.ci/run

clean: ## Remove all that was built
	swift package clean
