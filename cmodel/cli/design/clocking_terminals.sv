  // The clock of the network, and those of the terminals, which have other periods. Each comes out of reset at an edge
  // of its own, when all have had some edges.
  always #5 clk = !clk;

  always @(negedge clk) begin : network
    rst = cycles < 10;
  end

  always @(posedge clk) begin : patience
    cycles = cycles + 1;
    quiet  = quiet + 1;
    if (received == Streams * Packets || quiet == Patience) judge;
  end

  for (genvar t = 0; t < T; t++) begin : g_clock
    always #(2 + t * 5 % 9) clk_t[t] = !clk_t[t];

    always @(negedge clk_t[t]) begin : sources
      rst_t[t] = cycles < 10 + t % 7;
      for (int s = t * Lines * Classes; s < (t + 1) * Lines * Classes; s++) drive(s);
    end

    always @(posedge clk_t[t]) begin : sinks
      for (int s = t * Lines * Classes; s < (t + 1) * Lines * Classes; s++) begin
        taken[s] = s_tvalid[s] & s_tready[s];
        if (broken[s]) good = 1'b0;
        if (m_tvalid[s] && m_tready[s])
          take(s, s * ClassVcs + 32'(m_lane[s*LaneW +: LaneW]),
               s / Lines * Sources + ((Sources != 1) ? 32'(m_source[s*DstW +: DstW]) : 0));
      end
    end
  end
