# The one task file. `make check` is exactly what CI runs.

VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin

.PHONY: help check lint types layers spelling test trust audit oldest snapshots reference docs lock clean

help:  ## list the tasks
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(VENV)/.installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

check: lint types layers spelling test  ## everything that must pass, installed from the lock into $(VENV)

lint: $(VENV)/.installed  ## lint and format, as written
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed  ## strict types over code and tests
	$(BIN)/mypy

layers: $(VENV)/.installed  ## imports only point down
	$(BIN)/lint-imports --no-logo

spelling: $(VENV)/.installed  ## spelling
	$(BIN)/codespell duckanon sql hierarchies tests docs benchmarks data README.md CHANGELOG.md CONTRIBUTING.md Makefile

test: $(VENV)/.installed  ## all tests, on all cores
	$(BIN)/pytest -n auto

trust: $(VENV)/.installed  ## attacks, faults and 10,000 hostile cases, told as tables
	DUCKANON_FUZZ_CASES=$${DUCKANON_FUZZ_CASES:-10000} $(BIN)/pytest -q -n auto tests/attacks tests/faults tests/fuzz

oldest:  ## the heart of the tests with the oldest version of every dependency that is declared
	$(PYTHON) -m venv $(VENV)-oldest
	$(VENV)-oldest/bin/pip install --quiet --require-hashes -r .ci/oldest/requirements.txt
	PYTHONPATH=$(CURDIR) $(VENV)-oldest/bin/python -m pytest -q -n auto tests/test_release.py tests/test_library.py

audit: $(VENV)/.installed  ## known vulnerabilities of the locked packages, and all licences; needs a network
	$(PYTHON) -m venv $(VENV)-audit
	$(VENV)-audit/bin/pip install --quiet --require-hashes -r .ci/audit/requirements.txt
	PATH="$(abspath $(VENV)-audit)/bin:$$PATH" $(VENV)-audit/bin/python .ci/audit/audit.py $(abspath $(BIN))/python

snapshots: $(VENV)/.installed  ## write the SQL snapshots again; read the diff before you commit
	UPDATE_SNAPSHOTS=1 $(BIN)/pytest -q tests/test_snapshots.py

reference: $(VENV)/.installed  ## write the generated pages of docs/reference again
	$(BIN)/python -m docs.generate

docs: $(VENV)/.installed  ## the documentation as a site in build/docs; a dead link is an error
	$(BIN)/sphinx-build -q -W --keep-going -c docs -d build/doctrees . build/docs

lock:  ## pin every dependency by name, version and hash
	uv pip compile --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --group dev --extra report --extra spark pyproject.toml --output-file requirements.lock
	uv pip compile --universal --generate-hashes --no-header --no-annotate --no-emit-index-url .ci/audit/requirements.in --output-file .ci/audit/requirements.txt
	uv pip compile --resolution lowest-direct --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --extra report --extra sql pyproject.toml .ci/oldest/requirements.in --output-file .ci/oldest/requirements.txt
	uv pip compile --universal --generate-hashes --no-header --no-annotate --no-emit-index-url tests/peers/requirements.in --output-file tests/peers/requirements.txt
	uv pip compile --universal --generate-hashes --no-header --no-annotate --no-emit-index-url benchmarks/peers/requirements.in --output-file benchmarks/peers/requirements.txt
	uv pip compile --universal --generate-hashes --no-header --no-annotate --no-emit-index-url benchmarks/peers/tables.in --output-file benchmarks/peers/tables.txt

clean:  ## forget what was made
	rm -rf $(VENV) $(VENV)-audit $(VENV)-oldest build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
