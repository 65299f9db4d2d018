# SPDX-License-Identifier: Apache-2.0
#
# The package for Python (docs/python.md): what it has of the library, and its tests.

PARTS_OF_PYTHON := $(addprefix $(BUILD)/python/,libannelid.so annelid abi.h)

# What cffi reads: the declarations of the public headers. It knows the types of the standard headers.
$(BUILD)/python/abi.h: $(wildcard cmodel/include/annelid/*.h) python/python.mk
	@rm -rf $(@D)/headers && mkdir -p $(@D)/headers/annelid
	@for header in $(filter %.h,$^); do sed '/^#include <[a-z]*\.h>/d' $$header > $(@D)/headers/annelid/$${header##*/}; done
	@{ echo '#include <annelid/annelid.h>'; echo 'void free(void *); FILE *open_memstream(char **, size_t *); int fflush(FILE *); int fclose(FILE *);'; } | \
	  $(CC) -E -P -x c -nostdinc -D'__attribute__(x)=' -DINT32_MAX=2147483647 -I$(@D)/headers - > $@
	@rm -rf $(@D)/headers

$(BUILD)/python/libannelid.so: $(LINKED)/$(SONAME)
	@install -D -m 755 $< $@

$(BUILD)/python/annelid: $(CLI)
	@install -D -m 755 $< $@

python-parts: $(PARTS_OF_PYTHON)

wheel: python-parts $(SETUP_PYTHON) ## the package for Python as build/annelid-VERSION-….whl, for this kind of machine (docs/python.md)
	@ANNELID_MADE=1 ANNELID_BUILD="$(abspath $(BUILD))" $(PYTHON) -m pip --disable-pip-version-check wheel -q --no-deps --no-build-isolation --no-index \
	  -w $(BUILD) ./python
	@ls $(BUILD)/annelid-*.whl

test-python: python-parts $(SETUP_PYTHON) # FULL=1: the digests of all scenarios, and more misuse
	@mkdir -p $(JUNIT)
	@FULL=$(FULL) $(PYTHON) tb/unit/python/test_python.py $(BUILD) $(JUNIT)/python.xml

# cocotb comes from a package index; where there is none, the tests are skipped.
test-cocotb: python-parts $(SETUP_STREAMS) $(CLI) # FULL=1: all kinds of designs
	@mkdir -p $(JUNIT)
	@FULL=$(FULL) $(PYTHON) tb/unit/python/test_cocotb.py $(BUILD) $(JUNIT)/cocotb.xml

.PHONY: python-parts wheel test-python test-cocotb
