# SPDX-License-Identifier: Apache-2.0
#
# Benchmarks measure speed on this machine. They print their results and write them to $(BUILD) as JSON.

# The scenarios of bench-blocking, one of each class: low and high load, few and many waiting worms, each flow control rule,
# a deadlock, and fat-trees.
BENCH_BLOCKING ?= mesh8_low mesh8_uniform mesh8_saturated mesh16_uniform torus444_uniform torus8_uniform torus8_tornado \
               hypercube6_permutation torus4_store_batch mesh3_cut_hotspot deadlock_torus5 \
               fattree64_worm_complement fattree64_greedy_fixed fattree64_fixed_farthest fattree16_lanes \
               fattree16_store_chained fattree16_store_lanes

$(BUILD)/bench/%.o: bench/%.c | $(SETUP_MODEL)
	@mkdir -p $(@D)
	@$(CC) $(C17) $(PROGRAMS) $(CFLAGS) -c -o $@ $<

$(BUILD)/bench/blocking_cost: $(BUILD)/bench/blocking_cost.o $(BUILD)/bench/meter.o $(COMMON) $(LIB)
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

C_FORMATTED += $(wildcard bench/*.[ch])

bench-blocking: $(BUILD)/bench/blocking_cost ## how long runs take with the blocking analysis over how long without it; fails from LIMIT=2 on; BENCH_BLOCKING=scenarios
	@$< $(bench_limit) --json $(BUILD)/bench-blocking.json $(BENCH_BLOCKING:%=sim/scenarios/%.yaml)

bench-rtl: $(SETUP_REGRESS) ## how fast the lock-step is by switches, beside whole networks, and with two threads: build/bench-rtl.json; ROUNDS=5
	@$(PYTHON) scripts/run bench-rtl --build $(BUILD) --rounds $(or $(ROUNDS),5)

$(BUILD)/bench/predict_cost: $(BUILD)/bench/predict_cost.o $(BUILD)/bench/meter.o $(LIB)
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

bench-predict: $(BUILD)/bench/predict_cost ## how long predictions take (docs/predict.md)
	@$<

# Models of the kinds of switches of slices, each beside the buffered engine: papers/<slice>/bench/<target>_cost.c, whose third
# line is what `make help` says.
COSTS          := $(call in_slices,bench/*_cost.c)
COSTS_HELP      = $(foreach cost,$(COSTS),sed -n '3s|^// |bench-$(patsubst %_cost.c,%,$(notdir $(cost)))\t|p' $(cost);)
BENCH_BESIDE   := $(patsubst %.c,$(BUILD)/bench/%,$(notdir $(COSTS)))
BENCH_OF_KINDS := $(BENCH_BESIDE:$(BUILD)/bench/%_cost=bench-%)

$(BENCH_BESIDE:=.o): $(BUILD)/bench/%.o: $$(call in_slices,bench/$$*.c) | $(SETUP_MODEL)
	@mkdir -p $(@D)
	@$(CC) $(C17) $(PROGRAMS) -Ibench $(CFLAGS) -c -o $@ $<

$(BENCH_BESIDE) $(BUILD)/bench/batch_cost: %: %.o $(BUILD)/bench/beside.o $(BUILD)/bench/meter.o $(LIB)
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BENCH_OF_KINDS): bench-%: $(BUILD)/bench/%_cost
	@$< bench/scenarios/mesh8_4lanes_030.yaml

# One scenario of each kind on which a batch is measured.
BENCH_BATCH ?= $(patsubst %,bench/scenarios/%.yaml,mesh8_4lanes_030 mesh8_4lanes_036 mesh8_4lanes_005 mesh8_1lane_010 torus32_2lanes_004) \
               $(BUILD)/bench/mesh8_4lanes_010.yaml sim/scenarios/fattree64_worm_complement.yaml

$(BUILD)/bench/mesh8_4lanes_010.yaml: bench/scenarios/mesh8_4lanes_030.yaml
	@mkdir -p $(@D)
	@sed 's/load: 0.30/load: 0.10/' $< > $@

bench-batch: $(BUILD)/bench/batch_cost $(BENCH_BATCH) ## how fast runs in a batch are, beside runs of the engine; fails if they are slower; BENCH_BATCH=scenarios
	@$< $(BENCH_BATCH)

# The program weigh measures what runs of other programs cost.
$(BUILD)/bench/weigh: $(BUILD)/bench/weigh.o
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(BUILD)/bench/calibrate: $(BUILD)/bench/calibrate.o $(BUILD)/bench/meter.o
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

BENCH       := $(PYTHON) bench/bench
BENCH_TOOLS := $(BUILD)/bench/weigh $(BUILD)/bench/calibrate $(BUILD)/bench/batch_cost
bench_common = --build $(BUILD) --jobs $(JOBS)
bench_length = $(if $(filter-out 0,$(SHORT)),--rounds 3 --scale 0.1) $(if $(ROUNDS),--rounds $(ROUNDS)) \
               $(if $(SCALE),--scale $(SCALE))
bench_limit  = $(if $(LIMIT),--limit $(LIMIT))
bench_needs  = $(if $($1),,$(error $@ needs $1=$2))

bench: $(CLI) $(BENCH_TOOLS) $(BENCH_BESIDE) ## how fast the engine is here, alone and beside the RTL: build/bench.json (SHORT=1: less; ONLY= ROUNDS= SCALE=)
	@$(BENCH) run $(bench_common) $(bench_length) --json $(BUILD)/bench.json --cc "$(CC)" --cflags="$(CFLAGS)" \
	  $(only)
	$(if $(ONLY),,@for cost in $(BENCH_BESIDE); do $$cost bench/scenarios/mesh8_4lanes_030.yaml || exit 1; done)

bench-compare: ## two bench.json side by side: OLD= NEW= (default build/bench.json), fails if slower by LIMIT=10 %
	@$(BENCH) compare $(bench_common) $(bench_limit) $(call bench_needs,OLD,a.json)$(OLD) $(or $(NEW),$(BUILD)/bench.json)

bench-ab: $(CLI) $(BENCH_TOOLS) ## another annelid and this one in turns: OLD=program or revision, fails from LIMIT=10 % slower; SHORT=1 ROUNDS= SCALE=
	@$(BENCH) ab $(bench_common) $(bench_length) $(bench_limit) $(call bench_needs,OLD,path/to/annelid or a revision)$(OLD)

bench-peer: $(CLI) $(BENCH_TOOLS) ## another simulator and ours on the same work: PEER=program (BookSim2), PEER_CONFIG=its files; SHORT=1 ROUNDS= SCALE=; LATENCY=1: latency over load, ONLY=
	@$(BENCH) $(if $(filter 1,$(LATENCY)),latency $(if $(ONLY),--only "$(ONLY)"),peer) $(bench_common) $(bench_length) \
	  $(call bench_needs,PEER,program)$(PEER) $(PEER_CONFIG)

bench-instructions: $(CLI) $(BENCH_TOOLS) ## instructions a flit-hop, counted by valgrind; OLD=program or revision to compare with; SCALE= LIMIT=10
	@$(BENCH) instructions $(bench_common) $(if $(SCALE),--scale $(SCALE)) $(bench_limit) $(OLD)

# Tests the tools of the bench with runs that are too short to measure anything. Programs that it does not run must compile.
test-bench: $(CLI) $(BENCH_TOOLS) $(BENCH_BESIDE) $(BUILD)/bench/blocking_cost $(BUILD)/bench/predict_cost
	@$(PYTHON) tb/unit/scripts/test_bench.py $(BUILD) $(JUNIT)/bench.xml

-include $(wildcard $(BUILD)/bench/*.d)

.PHONY: $(BENCH_OF_KINDS) bench bench-rtl bench-batch bench-blocking bench-compare bench-ab bench-peer bench-instructions test-bench
