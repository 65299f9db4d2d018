// SPDX-License-Identifier: Apache-2.0
//
// The AXI4 ports of a design (docs/axi.md, "Written designs").

#ifndef ANNELID_DESIGN_AXI_H
#define ANNELID_DESIGN_AXI_H

#include "design.h"

// Reads an address map: fills the rows, and gives manager ports to the terminals that it names.
// ANL_ERR_IO, ANL_ERR_FORMAT, ANL_ERR_MEMORY.
enum anl_status axi_map_read(struct design *design, const char *path, struct anl_error *error);

// Gives a kind of port to the terminals of a list, "0,2-3", which an option has as its value.
// ANL_ERR_ARGUMENT.
enum anl_status axi_list_read(struct design *design, const char *option, const char *list,
                              uint8_t port, struct anl_error *error);

// Returns ANL_OK if the network carries AXI4 (docs/axi.md, "Ordering"), or ANL_ERR_ARGUMENT with
// the reason; ANL_ERR_MEMORY.
enum anl_status axi_check(const struct design *design, struct anl_error *error);

#endif
