# make test | demo | check | native | clean. Everything runs in .venv, which the first target makes.
# It needs Python 3.11+ and make; a C++ compiler makes it faster, and is not required.
SHELL  := /bin/bash
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := .make/installed
MODERN := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3 python; do \
            $$p -c '$(MODERN)' >/dev/null 2>&1 && { echo $$p; break; }; done)
# make TORCH_INDEX=URL: a package index that has the CPU build of torch, which is some gigabytes smaller.
TORCH_INDEX ?=

.PHONY: test check demo native clean

test: check  ## style, types, architecture, tests
	$(BIN)/python -m pytest -n 2 --dist loadgroup -q

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

demo: $(STAMP)  ## the whole story on a small set
	$(BIN)/g2milp demo -o demo --overwrite

$(STAMP): pyproject.toml constraints.txt CMakeLists.txt $(wildcard native/*/*.cpp native/*/*.hpp)
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"
	$(BIN)/python -m pip install -q $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) -c constraints.txt --group dev -e ".[all]"
	@mkdir -p $(@D) && touch $@

native:  ## rebuild the C++ only
	@mkdir -p build
	flock build/.lock $(BIN)/python -m pip install -q --no-build-isolation --no-deps -e .

clean:
	rm -rf build .make .pytest_cache .mypy_cache .ruff_cache demo
