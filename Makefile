# make demo     watch ABS size a real bottleneck's buffer (sets everything up first)
# make test     all checks
# make repro    the papers' tables and figures in virtual time
# make help     the other targets and the variables

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

TARGET      ?= embedded
FLOWS       ?= 16
RATE        ?= 10Mbit
DELAY       ?= 10ms
DURATION    ?= 60
UTILIZATION ?= 0.98
LOSS        ?= 0.02
POLICY      ?= abs
CAPACITY_DECLARED ?=
DISTURB     ?= none
RESULTS     ?= results/demo

CASES       ?=
RUNS        ?= 0

TESTS       ?=
ADDRESS     ?=
PROGRAM     ?=
INTERFACES  ?=

EXPERIMENTS ?= all
SIZE        ?= full
SCHEDULER   ?=

WHEELS      ?= x86_64 aarch64

FUZZ_S      ?= 60

ROUNDS      ?= 1

P4C         ?=
TUTORIALS   ?=
GUIDE       ?=
LEARNING    ?=
UP4         ?=
FABRIC      ?=
NGSDN       ?=
PINS        ?=
CONFORMANCE := results/conformance

# Make and the environment know CC as the C compiler.
ifneq ($(origin CC),command line)
CC := $(or $(filter reno cubic bbr,$(CC)),reno)
endif
# Compilers would take it for one of theirs.
unexport CC

# dev compiles soon, with all checks; release for full speed: cargo's profiles of these names.
PROFILE     ?= dev
AT_FULL_SPEED := $(MAKE) --no-print-directory PROFILE=release

PYTHON := .venv/bin/python
# Tests start hundreds of processes, and each would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
# .venv holds what is needed; what root runs sees nothing of the user's own packages.
unexport PYTHONPATH PYTHONHOME PIP_TARGET PIP_PREFIX PIP_USER
export PYTHONNOUSERSITE := 1
# But other projects' tests import BMv2's modules from where the user has them.
BESIDE_BMV2 := conformance samples testgen tutorials guide readmes learning suites differential
$(BESIDE_BMV2): export PYTHONPATH := $(PYTHONPATH)
$(BESIDE_BMV2): export PYTHONNOUSERSITE :=
# With it, cd may lead elsewhere.
unexport CDPATH
AS_ROOT := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: help setup setup-demo switch demo robustness repro repro-quick report results-index docs test ptf adaptive bench chaos conformance samples testgen tutorials guide readmes learning suites requirements differential fuzz fuzz-guided soak memory kernel-tcp p4 p4-constants lint
.PHONY: lint-python lint-rust test-products test-rust test-controller test-live test-switch test-packets test-mininet test-experiments test-slices test-demo dist dist-again test-dist clean

help:
	@echo 'make demo    the demonstration; TARGET=embedded|bmv2|bmv2-queue FLOWS=$(FLOWS) RATE=$(RATE) DELAY=$(DELAY)'
	@echo '             DURATION=$(DURATION) CC=reno|cubic|bbr UTILIZATION=$(UTILIZATION) LOSS=$(LOSS) POLICY=$(POLICY)'
	@echo '             CAPACITY_DECLARED=RATE|measured (what the controller is told) DISTURB=none|stall|pause|flap'
	@echo 'make robustness  many demonstrations, an hour and a half, to results/robustness.md; CASES=NAME,NAME'
	@echo '             RUNS=20 repeats each of CASES (without it the first) 20 times while a compiler runs'
	@echo 'make repro   the experiments, hours of processor time at full size, resumable; EXPERIMENTS=$(EXPERIMENTS) SIZE=$(SIZE)'
	@echo '             SCHEDULER=tcp://HOST:PORT hands them to a Dask cluster'
	@echo 'make repro-quick  a part of each, compared with the numbers checked in; EXPERIMENTS="NAME ..." or PATTERN'
	@echo 'make report  one HTML page of the results in docs/results, to results/report.html'
	@echo 'make docs    the documentation as a site, to results/site/index.html'
	@echo 'make test    all checks: compiled programs, lint, types, Rust and Python tests, PTF, a part of each'
	@echo '             experiment, a short demonstration;'
	@echo '             its parts: lint test-products test-rust test-controller test-live test-switch'
	@echo '             test-experiments test-slices test-packets test-mininet test-demo'
	@echo 'make ptf     packet tests; TARGET=embedded|bmv2 TESTS=MODULE or MODULE.Class of ptf-tests/tests;'
	@echo '             TARGET=tofino ADDRESS= PROGRAM= INTERFACES=, see docs/how-to/tofino-by-stratum.md'
	@echo 'make adaptive  packet tests of other projects'"'"' programs that are made adaptive; TUTORIALS= PINS= checkouts,'
	@echo '             TARGET=embedded|bmv2'
	@echo 'make bench   speeds and latencies, to results/bench.json; with TUTORIALS=a checkout of p4lang/tutorials also'
	@echo '             of two exercises'
	@echo 'make conformance   p4c'"'"'s packet tests here and on BMv2, to docs/conformance.md; P4C=a checkout of p4c'
	@echo 'make samples       the same for p4c'"'"'s programs over P4Runtime: pushed, read back, with entries; P4C=a checkout'
	@echo 'make testgen       the same for p4testgen'"'"'s packet tests of p4c'"'"'s programs and ours; P4C=a checkout'
	@echo 'make tutorials     p4lang'"'"'s exercises here and on BMv2, to docs/conformance.md; TUTORIALS=a checkout'
	@echo 'make guide         the same for demonstrations of jafingerhut/p4-guide; GUIDE=a checkout'
	@echo 'make readmes       the same for commands and packets in READMEs of jafingerhut/p4-guide; GUIDE=a checkout'
	@echo 'make learning      the same for labs of nsg-ethz/p4-learning; LEARNING=a checkout'
	@echo 'make suites        packet tests of omec-project/up4, stratum/fabric-tna and opennetworkinglab/ngsdn-tutorial'
	@echo '             here; UP4= FABRIC= NGSDN= checkouts'
	@echo 'make requirements  what P4Runtime asks of a server and the tests that show it, to'
	@echo '             docs/p4runtime-requirements.md'
	@echo 'make differential  random packets here and on BMv2 (needs simple_switch_grpc)'
	@echo 'make fuzz    ten million hostile packets, a hundred thousand damaged programs, requests, command lines'
	@echo 'make fuzz-guided  the same cases, varied by libFuzzer for what they reach, FUZZ_S seconds each'
	@echo 'make chaos   60,000 faults of switches in virtual time, and 200 of three replicas: killed, stopped, cut off, unplugged'
	@echo 'make soak    ten minutes of full load with a polling controller: memory and counts'
	@echo 'make memory  half an hour of 1000 ports with metrics, page and Parquet: the memory of the controller'
	@echo 'make kernel-tcp  this kernel'"'"'s TCP beside ns-3'"'"'s on one link, forty minutes a round, to docs/results; ROUNDS=$(ROUNDS)'
	@echo 'make p4      recompiles p4src/build (needs p4c)'
	@echo 'make p4-constants   writes controller/p4abs/p4_constants.py from files of p4src'
	@echo 'make switch  the switch and p4abs at full speed, in .venv/bin; takes minutes longer to compile'
	@echo 'make dist    wheels and a source distribution of the newest commit, to $(DIST); WHEELS="$(WHEELS)"'
	@echo 'make dist-again  makes them once more from nothing and compares; make test-dist tests them'
	@echo 'make setup   Debian packages, .venv, Rust and C++ builds; the targets above call what they need;'
	@echo '             PROFILE=$(PROFILE)|release compiles fast, or longer and for full speed'
	@echo 'make clean   removes what the targets above made'

# --- set-up -------------------------------------------------------------------------------------

# The demonstration's share first; jobs run side by side where one does not need the other.
IN_PARALLEL := $(MAKE) --no-print-directory --jobs=2
# All packages are pinned, so that none need be looked for: uplot-python would bring IPython.
# The lock is for two makes at a time in one clone.
ALONE       := flock .make/lock
PIP_INSTALL := $(ALONE) $(PYTHON) -m pip install --no-user --quiet --disable-pip-version-check --no-deps
UV_INSTALL  := $(ALONE) .venv/bin/uv pip install --quiet --no-deps --python $(PYTHON)
EDITABLE    := $(UV_INSTALL) --no-build-isolation --reinstall --editable
# uv takes a quarter of pip's processor time, and compiles no module before it is imported. It does
# not read pip's settings: where those name the index, pip installs.
INSTALL      = $(UV_INSTALL) --requirement $(1) || $(PIP_INSTALL) --requirement $(1)

setup-demo: .make/debian-demo
	@$(IN_PARALLEL) .make/venv .make/switch-$(PROFILE)

setup: .make/debian-development
	@$(IN_PARALLEL) .make/venv-development .make/switch-$(PROFILE) .make/simulator-$(PROFILE)

.make/debian-%: packages.txt setup.sh
	@mkdir -p .make
	./setup.sh $* $(AS_ROOT)
	@touch $@

# Two at a time would be in each other's way.
.make/debian-development: | .make/debian-demo

# The last thing that venv writes: what an interrupted one has left is made anew.
.venv/bin/pip: | .make/debian-demo
	@echo 'making .venv ...'
	$(ALONE) sh -c 'test -e $@ || /usr/bin/python3 -m venv --clear --system-site-packages .venv'

.make/installers: .venv/bin/pip requirements.txt
	$(PIP_INSTALL) $$(grep -E '^(maturin|uv)==' requirements.txt)
	@touch $@

.make/venv: .make/installers requirements.txt controller/pyproject.toml demonstration/pyproject.toml
	@echo 'installing Python packages into .venv ...'
	$(call INSTALL,requirements.txt)
	$(EDITABLE) controller
	$(EDITABLE) demonstration
	@touch $@

.make/venv-development: .make/venv requirements-development.txt | .make/debian-development
	$(call INSTALL,requirements-development.txt)
	@touch $@

.make/venv-release: .make/venv-development requirements-release.txt
	$(call INSTALL,requirements-release.txt)
	@touch $@

# Other projects' packet tests count on packages of their time.
.make/venv-suites: switch/conformance/suites/requirements.txt
	@echo 'installing Python packages into .venv-suites ...'
	/usr/bin/python3 -m venv .venv-suites
	.venv-suites/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	@touch $@

RUST_SOURCES := $(shell find switch -path '*/target' -prune -o \( -name '*.rs' -o -name 'Cargo.*' \) -print)
# Cargo counts the cores itself.
BY_ITSELF    := env -u MAKEFLAGS -u MFLAGS
# Where somebody has moved it to, seen from everywhere, or where it is.
export CARGO_TARGET_DIR := $(if $(filter-out /%,$(firstword $(CARGO_TARGET_DIR))),$(CURDIR)/)$(or $(CARGO_TARGET_DIR),$(CURDIR)/switch/target)
unexport CARGO_BUILD_TARGET
MATURIN      := cd switch && $(BY_ITSELF) VIRTUAL_ENV="$(CURDIR)/.venv" PATH="$(CURDIR)/.venv/bin:$$PATH" \
                maturin develop --profile $(PROFILE) --locked --quiet
# Cargo as maturin calls it: told anything else, it compiles pyo3 and the module once more.
AS_MATURIN   := $(BY_ITSELF) VIRTUAL_ENV="$(CURDIR)/.venv" PYO3_PYTHON="$(CURDIR)/$(PYTHON)" PYO3_BUILD_EXTENSION_MODULE=1 \
                $$("$(CURDIR)/$(PYTHON)" -c 'import sys; print("PYO3_ENVIRONMENT_SIGNATURE=cpython-%d.%d-64bit" % sys.version_info[:2])') \
                "PYO3_CONFIG_FILE=$$(ls -t "$$CARGO_TARGET_DIR"/maturin/pyo3-config-$$(uname -m)-* | head -n 1)"

# Beside the installation of Python packages, which it does not need.
.make/switch-compiled-$(PROFILE): .make/installers $(RUST_SOURCES) switch/pyproject.toml
	@echo 'compiling the switch (Rust, a minute or more) ...'
	$(MATURIN) --skip-install
	@rm -f .make/switch-*
	@touch $@

# One module serves both profiles: what the other one left there is no longer it.
.make/switch-$(PROFILE): .make/venv .make/switch-compiled-$(PROFILE)
	$(MATURIN) --uv
	@touch $@

# Cargo's folder of dev is debug.
WITH_PIPELINE := P4ABS_PIPELINE_LIBRARY="$$CARGO_TARGET_DIR"/$(PROFILE:dev=debug)
SIMULATOR_SOURCES := $(shell find experiments/ns3 experiments/tofino -name '*.cc' -o -name '*.h') experiments/setup.py

.make/simulator-$(PROFILE): .make/venv-development .make/switch-$(PROFILE) $(SIMULATOR_SOURCES) experiments/pyproject.toml
	@echo 'compiling the simulator (C++) ...'
	cd switch && $(AS_MATURIN) cargo build --profile $(PROFILE) --locked --quiet --package capi --package binding
	$(WITH_PIPELINE) $(EDITABLE) experiments
	@rm -f .make/simulator-*
	@touch $@

# --- main targets -------------------------------------------------------------------------------

demo: setup-demo
	@echo 'The demonstration makes network namespaces and opens raw sockets; that takes root.'
	$(AS_ROOT) $(PYTHON) mininet/demo.py --target '$(TARGET)' --flows '$(FLOWS)' --rate '$(RATE)' \
	    --delay '$(DELAY)' --duration '$(DURATION)' --congestion-control '$(CC)' \
	    --utilization '$(UTILIZATION)' --loss '$(LOSS)' --policy '$(POLICY)' \
	    --capacity-declared '$(CAPACITY_DECLARED)' --disturb '$(DISTURB)' --results '$(RESULTS)'

robustness: DURATION := 240
robustness: setup-demo
	$(AS_ROOT) env PATH="$$PATH" $(PYTHON) mininet/robustness.py --cases '$(CASES)' --runs '$(RUNS)' \
	    --duration '$(DURATION)' --results results

switch:
	$(AT_FULL_SPEED) setup-demo

repro:
	$(AT_FULL_SPEED) setup
	$(PYTHON) -m p4abs experiment $(EXPERIMENTS) --size $(SIZE) $(if $(SCHEDULER),--scheduler $(SCHEDULER))

SLICES := experiments/tests/test_repro_quick.py

repro-quick: setup
	$(PYTHON) -m pytest $(SLICES) --experiments '$(EXPERIMENTS)'

results-index: setup
	$(PYTHON) -m p4abs_experiments.report --index

report: setup
	$(PYTHON) -m p4abs_experiments.report --results docs/results --output results/report.html

# Warnings are errors: a link that leads nowhere, a page that no navigation reaches.
docs: setup
	rm -rf results/site
	$(PYTHON) -m sphinx --quiet --fail-on-warning --keep-going -c docs/site docs results/site

adaptive: setup
	@test -n "$(TUTORIALS)$(PINS)" || { echo 'make adaptive TUTORIALS=FOLDER PINS=FOLDER: checkouts of p4lang/tutorials and sonic-net/sonic-pins'; exit 2; }
	$(AS_ROOT) env PATH="$$PATH" $(PYTHON) ptf-tests/upstream.py --target '$(TARGET)' \
	    $(addprefix --tutorials ,$(TUTORIALS)) $(addprefix --pins ,$(PINS))

ptf: setup
	$(AS_ROOT) $(PYTHON) ptf-tests/run.py --target '$(TARGET)' $(ADDRESS:%=--address %) \
	    $(PROGRAM:%=--program %) $(INTERFACES:%=--interface %) $(TESTS)

bench:
	$(AT_FULL_SPEED) setup
	$(AS_ROOT) env PATH="$$PATH" $(PYTHON) bench/bench.py --results results/bench.json \
	    $(if $(TUTORIALS),--tutorials $(TUTORIALS))

soak:
	$(AT_FULL_SPEED) setup
	$(AS_ROOT) env PATH="$$PATH" $(PYTHON) bench/soak.py --results results/soak.json

memory:
	$(AT_FULL_SPEED) setup
	$(AS_ROOT) env PATH="$$PATH" $(PYTHON) bench/memory.py --results results/memory.json

kernel-tcp: setup
	cd bench && $(AS_ROOT) "$(CURDIR)/$(PYTHON)" -m kernel_tcp --rounds '$(ROUNDS)' \
	    --results "$(CURDIR)/docs/results/kernel-tcp"

chaos: setup
	$(PYTHON) -m controller.tests.replicas.live.chaos
	$(PYTHON) -m controller.tests.chaos

conformance: setup
	@test -n "$(P4C)" || { echo 'make conformance P4C=FOLDER: a checkout of p4c'; exit 2; }
	$(PYTHON) -m conformance stf $(P4C) --results $(CONFORMANCE)/stf --page docs/conformance.md

samples: setup
	@test -n "$(P4C)" || { echo 'make samples P4C=FOLDER: a checkout of p4c'; exit 2; }
	$(PYTHON) -m conformance samples $(P4C) --results $(CONFORMANCE)/samples --page docs/conformance.md

testgen: setup
	@test -n "$(P4C)" || { echo 'make testgen P4C=FOLDER: a checkout of p4c'; exit 2; }
	$(PYTHON) -m conformance testgen $(P4C) --results $(CONFORMANCE)/testgen --page docs/conformance.md \
	    $(addprefix --own ,$(wildcard p4src/v1model/*queue.p4))

tutorials: setup
	@test -n "$(TUTORIALS)" || { echo 'make tutorials TUTORIALS=FOLDER: a checkout of p4lang/tutorials'; exit 2; }
	$(AS_ROOT) env PATH="$$PATH" $(PYTHON) -m conformance tutorials $(TUTORIALS) --page docs/conformance.md

guide: setup
	@test -n "$(GUIDE)" || { echo 'make guide GUIDE=FOLDER: a checkout of jafingerhut/p4-guide'; exit 2; }
	$(AS_ROOT) env PATH="$$PATH" $(PYTHON) -m conformance guide $(GUIDE) --page docs/conformance.md

readmes: setup
	@test -n "$(GUIDE)" || { echo 'make readmes GUIDE=FOLDER: a checkout of jafingerhut/p4-guide'; exit 2; }
	$(AS_ROOT) env PATH="$$PATH" $(PYTHON) -m conformance readmes $(GUIDE) --page docs/conformance.md

learning: setup
	@test -n "$(LEARNING)" || { echo 'make learning LEARNING=FOLDER: a checkout of nsg-ethz/p4-learning'; exit 2; }
	$(AS_ROOT) env PATH="$$PATH" $(PYTHON) -m conformance learning $(LEARNING) --page docs/conformance.md

suites: setup .make/venv-suites
	@test -n "$(UP4)$(FABRIC)$(NGSDN)" || \
	    { echo 'make suites UP4=FOLDER FABRIC=FOLDER NGSDN=FOLDER: checkouts; see make help'; exit 2; }
	$(AS_ROOT) env PATH="$(CURDIR)/.venv-suites/bin:$$PATH" $(PYTHON) -m conformance suites \
	    $(addprefix --up4 ,$(UP4)) $(addprefix --fabric ,$(FABRIC)) $(addprefix --ngsdn ,$(NGSDN)) \
	    --page docs/conformance.md

requirements: setup
	$(PYTHON) -m pytest switch/tests --collect-only -qq --requirements docs/p4runtime-requirements.md

differential: setup
	$(PYTHON) -m p4abs_switch differential switch/tests/programs/*.json switch/pipeline/tests/programs/*.json \
	    p4src/build/*.json

fuzz: setup
	cd switch && for what in 'packets --cases 100000' 'programs --cases 100000' 'requests --cases 5000' \
	    'watched --cases 20000' 'offloads --cases 10000'; \
	do cargo run --profile test --locked --quiet --package fuzz -- $$what || exit; done
	$(PYTHON) -m pytest -q switch/tests/fuzz --fuzz-times 20

fuzz-guided: setup
	@cargo +nightly fuzz --version || \
	    { echo 'make fuzz-guided: needs a nightly toolchain, and `cargo install cargo-fuzz`'; exit 2; }
	cd switch/fuzz/guided && for what in packets programs requests watched offloads; \
	do cargo +nightly fuzz run --fuzz-dir . --target-dir ../../target/guided --debug-assertions $$what -- \
	    -max_len=8192 -max_total_time=$(FUZZ_S) || exit; done

p4:
	/usr/bin/python3 p4src/products.py compile

p4-constants:
	/usr/bin/python3 p4src/products.py constants

# --- tests --------------------------------------------------------------------------------------

# Three at a time on two cores; each target's output in one piece when it ends. Lint runs beside the
# compilation. What computes is nice to what watches the clock, which waits for half of its time.
# What computes on all cores comes last, so that none is idle; then, alone, what is measured in real
# time.
test: .make/debian-demo
	$(IN_ONE_PIECE) --jobs=3 lint-python test-products test-packets test-controller test-live \
	    test-switch test-mininet test-rust test-experiments test-slices lint-rust
	$(MAKE) --no-print-directory test-demo

IN_ONE_PIECE := $(MAKE) --no-print-directory --output-sync=target

ALL := .make/venv-development .make/switch-$(PROFILE) .make/simulator-$(PROFILE)

test-products:
	/usr/bin/python3 p4src/products.py check

lint: lint-python lint-rust

lint-python: .make/venv-development
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	nice $(PYTHON) -m mypy controller/p4abs switch/p4abs_switch switch/conformance \
	    demonstration/p4abs_demonstration experiments/p4abs_experiments p4src/products.py \
	    bench ptf-tests mininet/absdemo mininet/absrobustness \
	    mininet/demo.py mininet/robustness.py checks release docs/site docs/pictures
	$(PYTHON) -m checks
	$(PYTHON) -m codespell_lib
	$(PYTHON) -m codespell_lib --builtin en-GB_to_en-US --ignore-words-list cancelled,judgement --skip '*.js,*.so,*.json,docs/results' \
	    README.md docs controller/p4abs switch/p4abs_switch experiments/p4abs_experiments/p4bs/law.py

# Cargo does one thing at a time with its folder: not beside what the others wait for.
lint-rust: $(ALL)
	@if cargo fmt --version >/dev/null 2>&1; then cd switch && cargo fmt --check; \
	else echo 'rustfmt is not installed: Rust format left out'; fi
	@if cargo clippy --version >/dev/null 2>&1; \
	then cd switch && $(AS_MATURIN) nice cargo clippy --locked --all-targets --quiet -- -D warnings; \
	else echo 'clippy is not installed: Rust lint left out'; fi

# Live tests make network namespaces, as root or as root of a namespace of users.
test-rust: $(ALL)
	cd switch && $(if $(filter 0,$(shell id -u)),,unshare --map-root-user) \
	    $(BY_ITSELF) cargo test --locked --quiet

# Of the controller's tests those with processes, pages and replicas, which wait most.
LIVE := $(addprefix controller/tests/,replicas service web)

test-live: $(ALL)
	$(AS_ROOT) $(PYTHON) -m pytest $(LIVE) demonstration bench

test-controller: $(ALL)
	nice $(AS_ROOT) $(PYTHON) -m pytest controller $(LIVE:%=--ignore=%)

test-switch: $(ALL)
	$(AS_ROOT) $(PYTHON) -m pytest switch/tests p4src docs checks release/tests/test_workflow.py

test-experiments: $(ALL)
	nice $(PYTHON) -m pytest experiments/tests --ignore=$(SLICES)

# What repro-quick does with all experiments; beside their other tests, so that both cores have work.
test-slices: $(ALL)
	nice $(PYTHON) -m pytest $(SLICES)

test-packets: $(ALL)
	$(MAKE) --no-print-directory ptf TARGET=embedded

MEASURED := mininet/tests/test_demo_measurements.py

test-mininet: $(ALL)
	$(AS_ROOT) $(PYTHON) -m pytest mininet/tests --ignore=$(MEASURED)

test-demo: $(ALL)
	$(AS_ROOT) $(PYTHON) -m pytest $(MEASURED)

# --- release ------------------------------------------------------------------------------------

DIST    := results/dist
TARGETS := $(WHEELS:%=%-unknown-linux-gnu)
RELEASE := $(WITH_PIPELINE) $(PYTHON) -m release $(DIST)

dist: setup .make/venv-release
	@if command -v rustup >/dev/null; then rustup target add $(TARGETS); fi
	rm -rf $(DIST)
	$(RELEASE) --targets $(TARGETS)

# Compiles everything once more.
dist-again: $(DIST)/SHA256SUMS
	$(RELEASE) --targets $(TARGETS) --again

test-dist: $(DIST)/SHA256SUMS
	$(PYTHON) -m pytest release/tests

PACKAGED := $(wildcard $(shell git ls-files controller switch demonstration experiments p4src/build release LICENSE 2>/dev/null | grep -v /tests/))

$(DIST)/SHA256SUMS: $(PACKAGED)
	$(MAKE) --no-print-directory dist

MADE := .venv .venv-suites .make .hypothesis .mypy_cache .pytest_cache .ruff_cache results switch/target experiments/build

# Some of it is root's, who runs demonstrations and tests.
clean:
	remove() { "$$@" rm -rf $(MADE) && "$$@" find . -name .git -prune -o \
	    \( -name __pycache__ -o -name '*.egg-info' -o -name '_*.so' \) -prune -exec rm -rf {} +; }; \
	remove 2>/dev/null || remove $(AS_ROOT)
