anl_steps.sv
anl_replay.sv
