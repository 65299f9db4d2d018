// SPDX-License-Identifier: Apache-2.0
//
// The key, which names an RTL parameter set: "k4_n2_kind1_v4_d4_w32_s1_a0". With two classes of
// messages "_m2" follows, and with weights 3 and 1 "_x103". Of a graph it ends in the hash of
// wiring and routes, "_g0123456789abcdef".

#ifndef ANL_LOCKSTEP_KEY_H
#define ANL_LOCKSTEP_KEY_H

#include <annelid/network.h>
#include <stddef.h>

enum { KEY_BYTES = 88 };

void key_of(const struct anl_config *config, char key[KEY_BYTES]);

#endif
