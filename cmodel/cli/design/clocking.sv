  always #5 clk = !clk;

  always @(negedge clk) begin : sources
    rst = cycles < 4;
    for (int s = 0; s < Streams; s++) drive(s);   // in reset, too, where nothing may be taken
  end

  always @(posedge clk) begin : sinks
    cycles = cycles + 1;
    quiet  = quiet + 1;
    taken  = s_tvalid & s_tready;
    if (broken != '0) good = 1'b0;
    for (int s = 0; s < Streams; s++)
      if (m_tvalid[s] && m_tready[s])
        take(s, s * ClassVcs + 32'(m_lane[s*LaneW +: LaneW]),
             s / Lines * Sources + ((Sources != 1) ? 32'(m_source[s*DstW +: DstW]) : 0));
    if (received == Streams * Packets || quiet == Patience) judge;
  end
