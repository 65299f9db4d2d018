# SPDX-License-Identifier: Apache-2.0
#
# Benchmarks: programs that measure on this machine. What they find is printed and left in $(BUILD) as JSON.

# One scenario of each class: low and high load, few and many worms that wait, each admission rule, a deadlock, fat-trees.
BENCH_STORY ?= mesh8_low mesh8_uniform mesh8_saturated mesh16_uniform torus444_uniform torus8_uniform torus8_tornado \
               hypercube6_permutation torus4_store_batch mesh3_cut_hotspot deadlock_torus5 \
               fattree64_worm_complement fattree64_greedy_fixed fattree64_fixed_farthest fattree16_lanes \
               fattree16_store_chained fattree16_store_lanes

$(BUILD)/bench/%.o: bench/%.c | $(SETUP)
	@mkdir -p $(@D)
	@$(CC) $(C17) -D_GNU_SOURCE -Icmodel/cli $(CFLAGS) -c -o $@ $<

$(BUILD)/bench/story_cost: $(BUILD)/bench/story_cost.o $(BUILD)/bench/meter.o $(BUILD)/cli/cli.o $(LIB)
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

C_FORMATTED += $(wildcard bench/*.[ch])

bench-story: $(BUILD)/bench/story_cost ## CPU time of runs with the story over that without it; fails from 2 on
	@$< --json $(BUILD)/bench-story.json $(BENCH_STORY:%=sim/scenarios/%.yaml)

-include $(wildcard $(BUILD)/bench/*.d)

.PHONY: bench-story
