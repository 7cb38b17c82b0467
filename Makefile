# Everything sets itself up from nothing but Python 3.11+ and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO := demo
RECOGNIZERS := modified-bleu overlap features joint

# Dozens of processes are started: none of them is to compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test check format bench train wheel docs pictures lock clean help

help: ## List the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10

$(READY): requirements/dev.lock pyproject.toml
	@echo "setting up $(VENV) …"
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements/dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: $(READY) ## Judge the shipped pairs with four recognizers and evaluate them
	@mkdir -p $(DEMO)
	@for r in $(RECOGNIZERS); do \
	  $(BIN)/ensue judge examples/pairs.xml -r $$r -o $(DEMO)/$$r.jsonl --restart || exit $$?; \
	done
	@$(BIN)/ensue evaluate examples/pairs.xml $(RECOGNIZERS:%=$(DEMO)/%.jsonl) --by task --report $(DEMO)/report.html
	@echo
	@echo "the whole report, with pictures: $(DEMO)/report.html"

test: $(READY) ## Run the tests
	@$(BIN)/python -m pytest -n 2 --dist worksteal -q

check: $(READY) ## Lint, formatting and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(READY) ## Format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(READY) ## Measure speed against named peers
	@$(BIN)/python -m benchmarks

train: $(READY) ## Train every file that ships anew, from the public data sets
	@$(BIN)/python -m benchmarks.training --write

wheel: $(READY) ## Build the wheel into dist/
	@$(BIN)/python -m build --wheel --no-isolation --outdir dist .

docs: $(READY) ## Write the reference pages, and run the examples of the others again
	@$(BIN)/python docs/make_docs.py

pictures: $(READY) ## Take pictures of the workbench's pages, with Debian's Chromium
	@$(BIN)/python -m docs.make_pictures

lock: ## Renew requirements/dev.lock with the newest versions
	@rm -rf $(VENV)/lock && $(PYTHON) -m venv $(VENV)/lock
	@$(VENV)/lock/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(VENV)/lock/bin/python -m pip install --quiet . --group dev hatchling editables
	@(sed -n '/^#/p' requirements/dev.lock; $(VENV)/lock/bin/python -m pip freeze --exclude ensue) > $(VENV)/dev.lock
	@mv $(VENV)/dev.lock requirements/dev.lock && rm -rf $(VENV)/lock

clean: ## Remove what the other targets made
	rm -rf $(VENV) $(DEMO) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
