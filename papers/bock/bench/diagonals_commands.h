// SPDX-License-Identifier: Apache-2.0
//
// The commands of the clock to the nodes (papers/bock/diagonals.md), numbered as in
// anl_diagonals_pkg; the benches of both share them.

#ifndef ANL_TB_DIAGONALS_COMMANDS_H
#define ANL_TB_DIAGONALS_COMMANDS_H

enum {
    DISTRIBUTE,
    DISTRIBUTE_END,
    TURN_IN_BLOCK,
    TURN_ANYWHERE,
    STRAIGHTEN,
    BACK,
    FORTH,
    SEEK,
    SEEK_BACK,
    SEEK_FORTH,
    SEEK_WAIT,
    COMMANDS
};

#endif
