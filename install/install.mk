# SPDX-License-Identifier: Apache-2.0
#
# The installed copy: command, static and shared library, headers, RTL, manual pages, completions.
#
# What goes where is said once, by the tree $(STAGE): its folders bin, lib, include and share become those of PREFIX. The
# two files that name PREFIX itself are written while installing. Every installed file is listed in share/annelid/installed,
# which `make uninstall` reads.

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib

VERSION_PARTS := $(shell sed -nE 's/^.define ANL_VERSION_(MAJOR|MINOR|PATCH) //p' cmodel/include/annelid/base.h)
MAJOR   := $(word 1,$(VERSION_PARTS))
MINOR   := $(word 2,$(VERSION_PARTS))
VERSION := $(MAJOR).$(MINOR).$(word 3,$(VERSION_PARTS))
# A program looks for the library under this name. Versions that have it can take each other's place (base.h).
SONAME  := libannelid.so.$(if $(filter 0,$(MAJOR)),0.$(MINOR),$(MAJOR))

# The installed libraries show the functions that the public headers declare, and nothing else.
LINKED  := $(BUILD)/linked
OBJCOPY ?= objcopy

# The headers for SystemC, which are of C++ and need nothing to be built, and the example of the page systemc.md.
SYSTEMC_HEADERS := $(wildcard cmodel/systemc/annelid/*.h cmodel/systemc/annelid/systemc/*.h)
SYSTEMC_EXAMPLE := $(wildcard docs/systemc/*)

# The public headers, with those of papers.
HEADERS := $(wildcard cmodel/include/annelid/*.h) $(call in_slices,include/annelid/*.h)

$(LINKED)/public: $(HEADERS) install/install.mk
	@mkdir -p $(@D)
	@sed 's://.*::' $(filter %.h,$^) | grep -oE '\banl_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u > $@

$(LINKED)/public.map: $(LINKED)/public
	@{ echo 'ANNELID { global:'; sed 's/$$/;/' $<; echo 'local: *; };'; } > $@

$(LINKED)/$(SONAME): $(LIB_OBJ) $(LINKED)/public.map
	@$(CC) -shared $(CFLAGS) $(LDFLAGS) -Wl,-soname,$(SONAME) -Wl,--version-script=$(LINKED)/public.map -Wl,-z,defs \
	  -o $@ $(LIB_OBJ) $(LIBS) -pthread

$(LINKED)/libannelid.a: $(LIB_OBJ) $(LINKED)/public
	@rm -f $@
	@$(CC) -r -nostdlib -o $(LINKED)/annelid.o $(LIB_OBJ)
	@$(OBJCOPY) --keep-global-symbols=$(LINKED)/public $(LINKED)/annelid.o
	@$(AR) qcs $@ $(LINKED)/annelid.o

# Reference pages of the C interface. Nothing is compiled for them.
api-docs: | $(SETUP_REFERENCE) ## reference pages of the C interface in $(BUILD)/api: HTML, and a manual page of each function
	@$(PYTHON) scripts/run api-docs --build $(BUILD)

# Manual pages and completions are made of what the command says of itself.
MANUALS := $(BUILD)/manuals

$(MANUALS)/made: $(CLI) scripts/annelid/manuals.py docs/scenario.md docs/trace.md | $(SETUP_INSTALL)
	@rm -rf $(@D)
	@$(PYTHON) scripts/run manuals --build $(BUILD)
	@touch $@

# The probes for a bench of somebody else, and the example of the page own_bench.md.
LIVE_ALL  := $(wildcard tb/live/*)
OWN_BENCH := $(wildcard docs/own_bench/*)
PROGRAM_EXAMPLES := docs/client.c docs/traffic.c

STAGE := $(BUILD)/stage
INSTALL_FILE := install -D -m 644

$(STAGE)/made: $(CLI) $(LINKED)/$(SONAME) $(LINKED)/libannelid.a $(MANUALS)/made $(HEADERS) $(RTL_ALL) \
               LICENSE $(PROGRAM_EXAMPLES) $(LIVE_ALL) $(OWN_BENCH) $(SYSTEMC_HEADERS) $(SYSTEMC_EXAMPLE) $(MPI_IF_THERE) install/install.mk
	@rm -rf $(STAGE) && mkdir -p $(STAGE)/lib
	@install -D -t $(STAGE)/bin $(CLI) $(MPI_IF_THERE)
	@install -m 755 $(LINKED)/$(SONAME) $(STAGE)/lib/libannelid.so.$(VERSION)
	@ln -s libannelid.so.$(VERSION) $(STAGE)/lib/$(SONAME)
	@ln -s $(SONAME) $(STAGE)/lib/libannelid.so
	@install -m 644 $(LINKED)/libannelid.a $(STAGE)/lib/
	@$(INSTALL_FILE) -t $(STAGE)/include/annelid $(HEADERS)
	@for file in $(SYSTEMC_HEADERS:cmodel/systemc/%=%); do $(INSTALL_FILE) cmodel/systemc/$$file $(STAGE)/include/$$file; done
	@for file in $(RTL_ALL); do $(INSTALL_FILE) $$file $(STAGE)/share/annelid/$$file; done
	@$(INSTALL_FILE) -t $(STAGE)/share/annelid/live $(LIVE_ALL)
	@$(INSTALL_FILE) -t $(STAGE)/share/doc/annelid LICENSE $(PROGRAM_EXAMPLES)
	@$(INSTALL_FILE) -t $(STAGE)/share/doc/annelid/own_bench $(OWN_BENCH)
	@$(INSTALL_FILE) -t $(STAGE)/share/doc/annelid/systemc $(SYSTEMC_EXAMPLE)
	@cp -R $(MANUALS)/share $(STAGE)/
	@touch $@

# Of lists and of the file for pkg-config, which hold the paths under PREFIX.
INSTALLED = $(PREFIX)/share/annelid/installed
to_prefix = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|'

install: $(STAGE)/made ## install command, libraries, headers, RTL, manual pages, completions: PREFIX=/usr/local, DESTDIR=, LIBDIR=
	@cd $(STAGE) && find bin include share lib ! -type d | sed -e 's|^lib/|$(LIBDIR)/|' -e '/^[^/]/s|^|$(PREFIX)/|' > files
	@printf '%s\n' $(LIBDIR)/pkgconfig/annelid.pc $(PREFIX)/share/annelid/annelid.f $(INSTALLED) >> $(STAGE)/files
	@install -d "$(DESTDIR)$(PREFIX)" "$(DESTDIR)$(LIBDIR)/pkgconfig"
	@cd $(STAGE) && cp -R bin include share "$(DESTDIR)$(PREFIX)/" && cp -RP lib/* "$(DESTDIR)$(LIBDIR)/"
	@$(to_prefix) install/annelid.pc.in > "$(DESTDIR)$(LIBDIR)/pkgconfig/annelid.pc"
	@$(call whole_paths,$(PREFIX)/share/annelid) > "$(DESTDIR)$(PREFIX)/share/annelid/annelid.f"
	@cp $(STAGE)/files "$(DESTDIR)$(INSTALLED)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ] && command -v ldconfig > /dev/null; then ldconfig; fi

uninstall: ## remove what make install installed: the same PREFIX=, DESTDIR=, LIBDIR=
	@[ -f "$(DESTDIR)$(INSTALLED)" ] || { echo "uninstall: there is no $(DESTDIR)$(INSTALLED): nothing is installed there"; exit 1; }
	@sed 's|^|$(DESTDIR)|' "$(DESTDIR)$(INSTALLED)" | xargs -d '\n' rm -f
	@for room in $(addprefix $(PREFIX)/,share/annelid include/annelid share/doc/annelid) $(LIBDIR)/pkgconfig; do \
	  if [ -d "$(DESTDIR)$$room" ]; then find "$(DESTDIR)$$room" -depth -type d -empty -delete; fi; done

# The archive holds what the last commit holds. A version is released when CHANGELOG.md has it on top, with its date.
DIST := annelid-$(VERSION)

dist: ## write build/annelid-VERSION.tar.gz, the sources of the last commit, for a release
	@mkdir -p $(BUILD)
	@[ "$$(sed -n 's/^## \([^ ]*\).*/\1/p' CHANGELOG.md | head -n 1)" = $(VERSION) ] || \
	  { echo "dist: CHANGELOG.md does not begin with version $(VERSION), which cmodel/include/annelid/base.h has"; exit 1; }
	@git -c tar.umask=0022 -c core.autocrlf=false archive --format=tar --prefix=$(DIST)/ HEAD | gzip -n > $(BUILD)/$(DIST).tar.gz

# Packages of Debian hold the tree of `make install` and what the wheel holds.
deb: $(STAGE)/made wheel | $(SETUP_DEB) ## write Debian packages to build/deb (docs/install.md)
	@rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb
	@$(MAKE) -s --no-print-directory install PREFIX=/usr LIBDIR=/usr/lib/$$(dpkg-architecture -qDEB_HOST_MULTIARCH) \
	  DESTDIR="$$(realpath $(BUILD)/deb)/tree"
	@$(PYTHON) scripts/run deb --build $(BUILD)

abi: | $(SETUP_DEB) ## compare functions and structs of the C interface with those of the last release, or of the commit OLD=
	@CC="$(CC)" $(PYTHON) scripts/run abi --build $(BUILD) $(OLD)

test-deb: deb # the packages and the archive in other folders, the comparison of interfaces
	@mkdir -p $(JUNIT)
	@$(PYTHON) tb/unit/scripts/test_deb.py $(BUILD) $(JUNIT)/deb.xml

test-install: $(SETUP_COPY) $(STAGE)/made
	@mkdir -p $(JUNIT)
	@$(PYTHON) tb/unit/scripts/test_install.py $(BUILD) $(JUNIT)/install.xml
	@$(PYTHON) tb/unit/scripts/test_own_bench.py $(BUILD) $(JUNIT)/own-bench.xml
	@$(PYTHON) tb/unit/scripts/test_setup.py $(BUILD) $(JUNIT)/setup.xml

.PHONY: dist deb abi test-deb install uninstall test-install
