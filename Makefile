# make test | demo | native | check | clean. Everything runs in .venv, which the first target makes.
PYTHON ?= python3.11
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := .make/installed

.PHONY: test check demo native bench clean

test: check  ## style, types, architecture, tests
	$(BIN)/python -m pytest -n 2 --dist loadgroup -q

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

demo: $(STAMP)  ## make, check and describe a small set; ends with a report to open
	$(BIN)/g2milp demo -o demo --overwrite

$(STAMP): pyproject.toml constraints.txt CMakeLists.txt $(wildcard native/*/*.cpp native/*/*.hpp)
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11+ is needed: set PYTHON=/path/to/python3"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"
	$(BIN)/python -m pip install -q -c constraints.txt --group dev -e ".[all]"
	@mkdir -p .make && touch $(STAMP)

native:  ## rebuild the C++ only
	@mkdir -p build
	flock build/.lock $(BIN)/python -m pip install -q --no-build-isolation --no-deps -e .

clean:
	rm -rf build .make .pytest_cache .mypy_cache .ruff_cache demo
