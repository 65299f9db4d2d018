# SPDX-License-Identifier: Apache-2.0
#
# Digilent Arty A7-35T, csg324. The PLL's clock follows from the one at its input.
set_property -dict {PACKAGE_PIN E3  IOSTANDARD LVCMOS33} [get_ports {clk_i}]
create_clock -name clk_i -period 10.000 [get_ports {clk_i}]
set_property -dict {PACKAGE_PIN C2  IOSTANDARD LVCMOS33} [get_ports {again_ni}]
set_property -dict {PACKAGE_PIN D9  IOSTANDARD LVCMOS33} [get_ports {upset_i}]
set_property -dict {PACKAGE_PIN H5  IOSTANDARD LVCMOS33} [get_ports {led_o[0]}]
set_property -dict {PACKAGE_PIN J5  IOSTANDARD LVCMOS33} [get_ports {led_o[1]}]
set_property -dict {PACKAGE_PIN T9  IOSTANDARD LVCMOS33} [get_ports {led_o[2]}]
set_property -dict {PACKAGE_PIN T10 IOSTANDARD LVCMOS33} [get_ports {led_o[3]}]
set_property -dict {PACKAGE_PIN D10 IOSTANDARD LVCMOS33} [get_ports {uart_o}]

set_false_path -from [get_ports {again_ni upset_i}]
set_false_path -to [get_ports {led_o[*] uart_o}]

set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
