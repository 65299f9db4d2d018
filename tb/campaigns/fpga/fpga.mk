# SPDX-License-Identifier: Apache-2.0
#
# Area and clock of switches on parts, and images for boards (docs/fpga.md).

fpga: $(SETUP_FPGA) ## area and clock of switches on iCE40, ECP5, Xilinx 7, against history and peers; ONLY="set …"
	@$(PYTHON) scripts/run fpga --build $(BUILD) --jobs $(JOBS) $(if $(ONLY),--only $(ONLY))

test-fpga: $(SETUP_FPGA) $(CLI)
	@$(PYTHON) tb/campaigns/fpga/test_fpga.py $(BUILD) $(JUNIT)/fpga-itself.xml
	@$(PYTHON) scripts/run fpga --build $(BUILD) --jobs $(JOBS) --short --seeds 1 --junit $(JUNIT)

fpga-fit: $(SETUP_FPGA) ## the biggest mesh that fits a part, found by trying; FROM=2: the first K; PART="iCE40 HX8K"
	@$(PYTHON) scripts/run fpga-fit --build $(BUILD) $(if $(PART),--parts "$(PART)") $(if $(FROM),--from $(FROM))

fpga-image: $(SETUP_FPGA) $(CLI) ## image of a board that checks itself: BOARD=ice40-hx8k-b-evn, ulx3s-85f, arty-a7-35t; SCENARIO=…
	@$(PYTHON) scripts/run fpga-image --build $(BUILD) $(if $(SCENARIO),--scenario $(call quoted,$(SCENARIO))) $(BOARD)

.PHONY: fpga test-fpga fpga-fit fpga-image
