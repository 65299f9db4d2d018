  // The clock of the network, and those of the other domains, which have other periods. Each comes out of reset at edges
  // of its own, when all have had some edges.
  for (genvar d = 0; d < Domains; d++) begin : g_domain
    logic ticks = 1'b0;
    always #(d == 0 ? 5 : 2 + (d - 1) * 5 % 9) ticks = !ticks;
    assign clk_d[d] = ticks;
  end

  always @* begin : network
    clk = clk_d[0];
    rst = rst_d[0];
  end

  initial begin : asynchronous
    #101 reset = 1'b0;
  end

  always @(posedge clk_d[0]) begin : patience
    cycles = cycles + 1;
    quiet  = quiet + 1;
    if (received == Streams * Packets || quiet == Patience) judge;
  end

  for (genvar t = 0; t < T; t++) begin : g_clock
    always @(negedge clk_t[t]) begin : sources
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
