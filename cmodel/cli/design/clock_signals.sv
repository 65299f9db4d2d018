  // The clock of the network, and those of the other domains, which have other periods. The resets are made of one, and
  // each ends at an edge of its own clock, when all have had some edges. It rises before the first of them, since a
  // simulator of two states sees no edge of what is 1 from the start.
  localparam int Domains = @DOMAINS@;
  logic               reset = 1'b0;
  wire  [Domains-1:0] clk_d, rst_d;
  wire  [@TERMINALS@-1:0]       clk_t, rst_t;         // of the terminals

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
    #1   reset = 1'b1;
    #100 reset = 1'b0;
  end

  @NAME@_resets u_resets (.clk_i(clk_d), .rst_i(reset), .rst_o(rst_d));
