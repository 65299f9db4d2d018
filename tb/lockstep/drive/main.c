// SPDX-License-Identifier: Apache-2.0

#include "run/lockstep.h"

int main(int argc, char **argv) { return lockstep_main(argc, argv); }
