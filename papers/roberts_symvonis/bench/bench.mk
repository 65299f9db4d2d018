# SPDX-License-Identifier: Apache-2.0
#
# The rooms of benches that the slice has, and their modules (rtl/rtl.mk).

BENCH_OF_PAPERS += bufferless snakes
BENCH_bufferless := anl_bufferless anl_bufferless_mesh
BENCH_snakes := anl_choose anl_snakes_clock anl_command
