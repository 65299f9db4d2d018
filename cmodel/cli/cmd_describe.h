// SPDX-License-Identifier: Apache-2.0
//
// What the files of `annelid describe` share: the summary and parameters of a scenario are in
// cmd_describe.c, the files that it writes in describe_files.c.

#ifndef ANNELID_CMD_DESCRIBE_H
#define ANNELID_CMD_DESCRIBE_H

#include "shared/cli.h"

// Write the network to a file: as a graph of Graphviz with the ports at the ends of its links, and
// as a graph that a scenario may name, with its routes as a table; errors name the scenario.
// Return an exit status, after a message unless it is CLI_OK.
int describe_dot(const struct anl_config *config, const char *path);
int describe_graph(const struct anl_config *config, const char *scenario, const char *path);

// Prints what a file says of a link, with the keys of the file, and, unless config is NULL, what a
// bench needs to know of the network with such links (docs/judge.md): the sizes of its ports, where
// each link ends, and which links lead to terminals. Returns an exit status, after a message unless
// it is CLI_OK.
int describe_links(const struct anl_config *config, const char *scenario, const char *path);

// Prints what each cycle does of the handshakes in a text (docs/link.md), on links with the lanes
// and the depth of a network, and which rule it breaks. Returns an exit status, after a message
// unless it is CLI_OK.
int describe_handshakes(const struct anl_config *config, const char *path);

#endif
