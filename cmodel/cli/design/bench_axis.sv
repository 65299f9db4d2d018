@AXIS_BENCH@
  @NAME@ u_dut (
@AXIS_PINS@  );

