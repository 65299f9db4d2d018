# SPDX-License-Identifier: Apache-2.0
#
# Channel-dependency graphs (docs/cdg.md) of the golden model and of the RTL's wiring and route
# units.

CDG_SV  := tb/campaigns/cdg/anl_switch.sv tb/campaigns/cdg/anl_cdg.sv
CDG_RTL := $(filter-out rtl/switch/anl_switch.sv,$(RTL_SRC))

# anl_cube-K4-N2-…: what `annelid describe --rtl` prints, without blanks and =. Of a graph it ends in Hash…, and
# `annelid rtl` has written its RTL to anl_graph-K…-Hash….sv.
cdg_parameters = $(shell sed -E 's/^anl_[a-z_]+//; s/-Hash.*//; s/-?([A-Za-z]+)([0-9]+)/ -Panl_cdg.\1=\2/g' <<< "$1")
cdg_network    = -D$(shell sed 's/-.*//; s/.*/\U&/' <<< "$1")
# In these networks heads have several options, or carry their routes.
cdg_options    = $(if $(call cdg_graph,$1),$(shell grep -q '^ *anl_options_switch ' $(cdg_graph) && echo -DANL_OPTIONS; \
                   grep -q '^ *anl_source_switch ' $(cdg_graph) && echo -DANL_SOURCE),$(if $(filter Routing9 Routing10 Routing11 Routing12 Routing13,$(subst -, ,$1)),-DANL_OPTIONS))
cdg_graph      = $(if $(findstring -Hash,$1),$(BUILD)/cdg/$1.sv)

# A list may be in a folder of its own below cdg/, as those of tb/unit/scripts/test_cdg.py are: a file of the RTL that stands
# there takes the place of the one in rtl/.
cdg_files      = $(foreach file,$(CDG_RTL),$(or $(wildcard $(@D)/$(notdir $(file))),$(file)))

$(BUILD)/cdg/%.routes: $(CDG_SV) $(CDG_RTL) rtl/annelid.f rtl/include/anl_assert.svh $$(call cdg_graph,$$*) | $(SETUP)
	@mkdir -p $(@D)
	@$(IVERILOG) -g2012 -Irtl/include -s anl_cdg -o $@.vvp $(call cdg_parameters,$(*F)) \
	  $(call cdg_network,$(*F)) $(call cdg_options,$*) \
	  $(cdg_files) $(call cdg_graph,$*) $(CDG_SV)
	@vvp -n $@.vvp +list=$@.new
	@rm $@.vvp && mv $@.new $@

# A scenario of sim/scenarios or of a paper may be named without folder and .yaml, as in make regress.
cdg_is_path  = $(shell test -f $(call quoted,$(SCENARIO)) && echo yes)
cdg_named    = $(or $(wildcard sim/scenarios/$(SCENARIO).yaml),$(call in_slices,scenarios/$(SCENARIO).yaml),$(SCENARIO))
cdg_scenario = $(call quoted,$(if $(cdg_is_path),$(SCENARIO),$(cdg_named)))

# What can deadlock is examined as well.
cdg_set = --set network.unsafe=true $(SET:%=--set %)

cdg: $(CLI) ## can it deadlock? Channel-dependency graph of the model and of the RTL: SCENARIO= SET='key=value …' DOT=file
	$(if $(SCENARIO),,$(error make cdg needs SCENARIO=path/to/scenario.yaml))
	@words="$$($(CLI) describe --rtl $(cdg_scenario) $(cdg_set))" || exit 2; words=$${words// /-}; words=$${words//=/}; \
	  if [[ $$words == *Hash* ]]; then mkdir -p $(BUILD)/cdg; $(CLI) rtl --name anl -o $(BUILD)/cdg/$$words.sv $(cdg_scenario) $(cdg_set) || exit 2; fi; \
	  $(MAKE) --no-print-directory $(BUILD)/cdg/$$words.routes && \
	  $(CLI) cdg --routes $(BUILD)/cdg/$$words.routes $(if $(DOT),--dot $(call quoted,$(DOT))) $(cdg_scenario) $(cdg_set)

# Checks the graphs of both sides, and that faults put into the RTL are found.
test-cdg: $(CLI) # FULL=1: large networks too
	@UNIT_SHARE=$(SHARE) $(PYTHON) tb/unit/scripts/test_cdg.py $(BUILD) $(JUNIT)/cdg.xml

.PHONY: cdg test-cdg
