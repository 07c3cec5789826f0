# Tacit. `make demo` and `make test` need a Debian 12 machine and nothing else; `make help` lists the rest.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
# SYSTEM_DUCKDB=ON builds with the system's DuckDB instead of the pinned one; DUCKDB=1.5 pins another version.
SYSTEM_DUCKDB ?= OFF
DUCKDB ?= 2.0
export JOBS FUZZ_SECONDS SYSTEM_DUCKDB DUCKDB

release := build/release

.PHONY: help
help: ## this list
	@echo "Tacit: differential privacy for SQL"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 16

.PHONY: setup
setup: ## install what building and testing need (apt, npm, Maven), once
	@scripts/setup.sh build test

.PHONY: build
build: configure ## build the program: build/release/tacit
	@echo "== building $(release)/tacit"
	@cmake --build $(release) -j $(JOBS) --target tacit

# The tests join the same build folder later (scripts/test.sh): nothing is compiled twice, and their packages are not
# needed here.
.PHONY: configure
configure:
	@scripts/setup.sh build
	@test -f $(release)/build.ninja || cmake --preset release -DTACIT_TESTS=OFF -DTACIT_SYSTEM_DUCKDB=$(SYSTEM_DUCKDB)

.PHONY: demo
demo: build ## build, then ask a sample database the first private questions
	@$(release)/tacit demo --dir build/demo
	@echo
	@echo '  (first, in this folder: export PATH="$$PWD/$(release):$$PATH")'

.PHONY: test
test: ## what a change must pass: layers, formatting, the release build and all its tests
	@scripts/setup.sh build test
	@scripts/test.sh test

.PHONY: check
check: ## the rest: clang-tidy, random tests in full, sanitizers, fuzzing (60 s per target)
	@scripts/setup.sh build test
	@scripts/test.sh check

.PHONY: soak
soak: ## the tests for long: repeated, and FUZZ_SECONDS (default 1800) of fuzzing per target
	@scripts/setup.sh build test
	@FUZZ_SECONDS=$(if $(filter command line environment,$(origin FUZZ_SECONDS)),$(FUZZ_SECONDS),1800) scripts/soak.sh

.PHONY: versions
versions: ## the tests on every DuckDB and PostgreSQL we name (VERSIONS="duckdb-1.5 postgres-18")
	@scripts/setup.sh build test
	@scripts/test-versions.sh $(VERSIONS)

.PHONY: bench
bench: ## the benchmarks, written to bench/results
	@scripts/setup.sh build bench
	@scripts/bench.sh

.PHONY: golden
golden: ## write the plan snapshots in tests/plans anew; read the diff before committing
	@scripts/setup.sh build test
	@cmake --preset release -DTACIT_TESTS=ON -DTACIT_SYSTEM_DUCKDB=$(SYSTEM_DUCKDB) >/dev/null
	@cmake --build $(release) -j $(JOBS) --target golden_plan_test
	@TACIT_WRITE_GOLDEN=1 $(release)/tests/golden_plan_test --gtest_brief=1

.PHONY: lint
lint: ## layers, formatting, clang-tidy
	@scripts/setup.sh build test
	@scripts/lint.sh layers format tidy

.PHONY: format
format: ## format every C++ source
	@scripts/setup.sh build test
	@scripts/format.sh

.PHONY: clean
clean: ## remove what was built; fetched dependencies (build/deps) stay
	@find build -mindepth 1 -maxdepth 1 ! -name deps -exec rm -rf {} + 2>/dev/null || true
