anl_live_pkg.sv
anl_live_links.sv
anl_live_wires.sv
anl_live.sv
