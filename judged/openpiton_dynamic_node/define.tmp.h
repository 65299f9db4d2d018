// OpenPiton makes this file from define.h.pyv. Its routers read no more of it than the widths of the network.
`include "network_define.v"
