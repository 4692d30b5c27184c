# The one task file: `make check` while working, `make ci` for a submission, `make prove` before a release.

VENV ?= .venv
PYTHON ?= python3
BIN := $(VENV)/bin
PARALLEL := -n auto --dist loadfile --no-loadscope-reorder
PYTEST := $(BIN)/pytest $(PARALLEL)
# tests start hundreds of processes, each of which would compile the package anew
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help check ci prove coverage lint types layers spelling test programs suite audit oldest snapshots reference docs lock clean

help:  ## list the tasks
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

# what `make check` needs: a third of all packages, without Spark and without the documentation's
$(VENV)/.installed: .ci/check/requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --require-hashes -r .ci/check/requirements.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.complete: $(VENV)/.installed requirements.lock
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	touch $@

check: lint types layers spelling test  ## while working: static checks, unit and command tests, a sample of proof; six minutes

ci:  ## everything once, with small suites of every folder; 40 minutes
	$(MAKE) --jobs 2 --output-sync=target lint types layers spelling programs
	$(MAKE) suite audit oldest

prove: lint types layers spelling programs  ## before a release: 10,000 hostile cases, 200 examples a property, each step killed
	$(PYTEST) --level prove -o faulthandler_timeout=7200 --durations 40

coverage: programs  ## the lines and branches that the tests reach at the size of CI, which measuring slows down
	rm -rf build/coverage && mkdir -p build/coverage
	$(BIN)/coverage run -m pytest $(PARALLEL) --level ci
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --format total
	$(BIN)/coverage json --quiet

lint: $(VENV)/.installed  ## lint and format, as written
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed  ## strict types over code and tests
	$(BIN)/mypy

layers: $(VENV)/.installed  ## imports only point down
	$(BIN)/lint-imports --no-logo

spelling: $(VENV)/.installed  ## spelling, and terms to avoid
	$(BIN)/codespell duckanon sql hierarchies tests docs benchmarks data integrations README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md SECURITY.md Makefile
	$(BIN)/codespell -D .ci/check/terms.txt --skip '*.js' duckanon sql hierarchies docs integrations README.md CITATION.cff CONTRIBUTING.md SECURITY.md

test: $(VENV)/.installed  ## unit and command tests, and a sample of proof
	$(PYTEST) --level check tests/unit tests/commands tests/proof

programs: $(VENV)/.complete  ## other programs that tests run, such as dbt, each in an environment of its own; needs a network
	$(BIN)/python -m tests.support.environments

suite: programs  ## all tests, at the size of CI
	$(PYTEST) --level ci --durations 50

oldest:  ## the heart of the tests with the oldest version of every dependency that is declared
	$(PYTHON) -m venv $(VENV)-oldest
	$(VENV)-oldest/bin/pip install --quiet --require-hashes -r .ci/oldest/requirements.txt
	PYTHONPATH=$(CURDIR) $(VENV)-oldest/bin/python -m pytest -q -n auto --level ci tests/commands/test_release.py tests/commands/test_library.py

audit: $(VENV)/.complete  ## known vulnerabilities of the locked packages, and all licences; needs a network
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python .ci/audit/audit.py $(abspath $(BIN))/python

snapshots: $(VENV)/.installed  ## write the SQL snapshots again; read the diff before you commit
	UPDATE_SNAPSHOTS=1 $(BIN)/pytest -q tests/unit/test_snapshots.py

reference: $(VENV)/.complete  ## write the generated pages of docs/reference again
	$(BIN)/python -m docs.generate

docs: $(VENV)/.complete  ## the documentation as a site in build/docs, with its drawings drawn anew; a dead link is an error
	$(BIN)/python -m docs.pictures
	$(BIN)/sphinx-build -q -W --keep-going -c docs -d build/doctrees . build/docs

# without the address of a package index
APART := uv pip compile --universal --generate-hashes --no-header --no-annotate --no-emit-index-url
LOCK := $(APART) --constraint requirements.lock
PEERS := tests/support/peers
LOWEST := --python-version 3.11

lock:  ## pin every dependency by name, version and hash, one file for each environment
	$(APART) --group dev --extra spark --extra formats --extra attest --extra studio pyproject.toml --output-file requirements.lock
	$(LOCK) --group test --group lint --group build --extra sql --extra formats --extra attest --extra studio pyproject.toml --output-file .ci/check/requirements.txt
	$(LOCK) $(LOWEST) pyproject.toml --output-file $(PEERS)/wheel.txt
	$(foreach name,airflow dagster,$(LOCK) $(LOWEST) --group $(name) pyproject.toml --output-file $(PEERS)/$(name).txt &&) true
	$(foreach name,benchmarks lighthouse,$(APART) $(LOWEST) --group $(name) --output-file benchmarks/peers/$(name).txt &&) true
	$(foreach name,dbt pycanon,$(APART) $(LOWEST) --no-strip-extras --group $(name) --output-file $(PEERS)/$(name).txt &&) true
	$(APART) $(LOWEST) --resolution lowest-direct --group oldest --extra sql --extra formats pyproject.toml --output-file .ci/oldest/requirements.txt
	npm install --prefix $(PEERS)/axe --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund

clean:  ## forget what was made
	rm -rf $(VENV) $(VENV)-oldest build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
