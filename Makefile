# `make` lists the targets. The work is done by the programs in scripts/.

VENV := .venv/bin

.PHONY: help play install lab cluster test lint types unit browser audit client format lock clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1|\2/p' Makefile | while IFS='|' read -r name text; do \
		printf '%-13s %s\n' "$$name" "$$text"; done

play: install ## install what is missing, start a server, open the game in the browser (ARGS="--port 9000")
	@$(VENV)/ratscrew play $(ARGS)

install: ## make the environment .venv, with the command .venv/bin/ratscrew
	@scripts/python scripts/install.py

lab: ## install the extra packages of `ratscrew lab` (numba and more)
	@scripts/python scripts/install.py lab
	@echo "compiling the lab's kernel, once"
	@$(VENV)/ratscrew lab run --games 2 > /dev/null
	@$(VENV)/ratscrew lab run --games 2 --preset beggar --bots quiet > /dev/null

cluster: ## start a PostgreSQL and three servers that share it, to try it out (ARGS="--data FOLDER" keeps the games)
	@scripts/python scripts/install.py postgres
	@$(VENV)/python scripts/cluster.py $(ARGS)

test: ## run all checks and tests, browser included; installs the test tools, PostgreSQL and three browsers if missing
	@scripts/python scripts/run_tests.py

lint: ## lint, and check the format
	@scripts/python scripts/run_tests.py lint format client-lint

types: ## mypy, and the type check of the browser client
	@scripts/python scripts/run_tests.py types client

unit: ## unit and property tests
	@scripts/python scripts/run_tests.py unit client-unit

browser: ## browser tests on Chromium (ENGINE=firefox or ENGINE=webkit: another engine; SEED=7: the games of that run)
	@$(if $(SEED),BROWSER_SEED=$(SEED)) scripts/python scripts/run_tests.py $(or $(ENGINE:firefox=all-firefox),chromium)

audit: ## check every locked package against the public lists of known vulnerabilities
	@scripts/python scripts/run_tests.py audit

client: install ## build the browser page if its sources changed
	@scripts/python hatch_build.py fresh && echo "the browser page is built"

format: ## format the code: Python with ruff, the client with prettier
	@scripts/python scripts/install.py dev
	@$(VENV)/ruff check --fix --exit-zero --quiet && $(VENV)/ruff format
	@scripts/python hatch_build.py npm run format

lock: ## update the lock files from pyproject.toml (ARGS=--upgrade takes the newest versions)
	@scripts/lock $(ARGS)

clean: ## remove all generated files: .venv, the built page, caches
	@rm -rf .venv __pycache__ dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis src/ratscrew/web/page client/node_modules
	@find src tests examples benchmarks scripts -name __pycache__ -type d -prune -exec rm -rf {} +
