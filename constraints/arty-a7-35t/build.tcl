# SPDX-License-Identifier: Apache-2.0
#
# Vivado, from the project's root, once `make fpga-image BOARD=arty-a7-35t` has written board_parameters.svh:
#   vivado -mode batch -source constraints/arty-a7-35t/build.tcl -tclargs DIRECTORY
# DIRECTORY: where board_parameters.svh is, and the image is to be (build/fpga/arty-a7-35t).
# Exit status 1, and no image, if the clock is not met.
set room [lindex $argv 0]
set sources {}
set list [open rtl/annelid.f]
foreach line [split [read $list] "\n"] {
    if {[string match *.sv $line]} { lappend sources rtl/$line }
}
close $list
lappend sources constraints/board_reset.sv constraints/arty-a7-35t/board_arty.sv

read_verilog -sv $sources
read_xdc constraints/arty-a7-35t/pins.xdc
synth_design -top board_arty -part xc7a35ticsg324-1L -include_dirs [list rtl/include $room] -verilog_define SYNTHESIS
opt_design
place_design
phys_opt_design
route_design
report_utilization -file $room/utilization.txt
report_timing_summary -file $room/timing.txt
if {[get_property SLACK [get_timing_paths -delay_type max]] < 0} {
    puts "board_arty: the clock is not met, see $room/timing.txt"
    exit 1
}
write_bitstream -force $room/board_arty.bit
