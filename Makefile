# The most frequent commands; CONTRIBUTING.md describes them.

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

ci: ## Run every gate that a change must pass
	.ci/run

clean: ## Remove all build products
	swift package clean
