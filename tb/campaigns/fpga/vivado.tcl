# SPDX-License-Identifier: Apache-2.0
#
# Stands in for Vivado: runs a script of Vivado commands and fails if a file that it reads is
# missing, if something is done out of order, or if the script calls a command that it should not
# need. usage: tclsh tb/campaigns/fpga/vivado.tcl SCRIPT DIRECTORY
set script [lindex $argv 0]
set argv [lrange $argv 1 end]
set steps {}

proc files {names} {
    foreach name $names {
        if {![file exists $name]} { error "there is no $name" }
    }
}
proc step {name after} {
    global steps
    if {$after ne "" && [lsearch -exact $steps $after] < 0} { error "$name before $after" }
    lappend steps $name
}
proc read_verilog {option names} { step read_verilog ""; files $names }
proc read_xdc {name} { step read_xdc read_verilog; files [list $name] }
proc synth_design {args} {
    step synth_design read_xdc
    array set options $args
    foreach directory $options(-include_dirs) { files [list $directory] }
    files [list [file join [lindex $options(-include_dirs) end] board_parameters.svh]]
}
proc opt_design {} { step opt_design synth_design }
proc place_design {} { step place_design opt_design }
proc phys_opt_design {} { step phys_opt_design place_design }
proc route_design {} { step route_design place_design }
proc report_utilization {args} { step report_utilization synth_design }
proc report_timing_summary {args} { step report_timing_summary route_design }
proc get_timing_paths {args} { step get_timing_paths route_design; return path }
proc get_property {name of} { return 0.5 }
proc write_bitstream {args} { step write_bitstream route_design }

source $script
if {[lindex $steps end] ne "write_bitstream"} { error "it writes no bitstream" }
