// SPDX-License-Identifier: Apache-2.0
//
// The lock-step as a SystemC design: the verilated network (verilator --sc) and, beside it, a
// module that wraps the golden model and all checkers. Both run on one sc_clock; the C code of the
// harness is the same as in tb/lockstep/drive/clocked.c.

extern "C" {
#include "run/lockstep.h"
}
#include "run/rtl.h"

#include <cstdio>
#include <memory>
#include <systemc>

#include "Vanl_lockstep_top.h"

namespace
{

const sc_core::sc_time period(10, sc_core::SC_NS);

// The golden model reads the RTL a quarter of a period after each edge, when its signals have
// settled.
struct golden_model : sc_core::sc_module {
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_out<bool> rst{"rst"};
    lockstep *run;
    anl_error *error;
    enum anl_status status = ANL_OK;

    golden_model(sc_core::sc_module_name name, lockstep *of, anl_error *why)
        : sc_module(name), run(of), error(why)
    {
        SC_HAS_PROCESS(golden_model);
        SC_THREAD(live);
    }

    void after(const sc_core::sc_event &edge)
    {
        wait(edge);
        wait(period / 4);
    }

    void reset()
    {
        rst.write(true);
        for (int i = 0; i < 4; i++)
            after(clk.posedge_event());
        rst.write(false);
        for (uint32_t i = 0; i < lockstep_lead(run); i++)
            after(clk.posedge_event());
    }

    // Runs one cycle; returns false if the run is over or cannot go on.
    bool cycle()
    {
        status = lockstep_enqueue(run, error);
        if (status != ANL_OK) return false;
        after(clk.negedge_event());
        if (!lockstep_low(run)) return false;
        after(clk.posedge_event());
        return lockstep_high(run);
    }

    void live()
    {
        reset();
        bool agree = true;
        while (agree && !lockstep_over(run))
            agree = cycle();
        if (agree) {
            after(clk.negedge_event());
            lockstep_last(run);
        }
        sc_core::sc_stop();
    }
};

enum anl_status simulate(lockstep *run, lockstep_result *result, anl_error *error)
{
    sc_core::sc_clock clk("clk", period);
    sc_core::sc_signal<bool> rst("rst");
    sc_core::sc_signal<uint64_t> harness("harness");
    Vanl_lockstep_top rtl("rtl");
    golden_model golden("golden", run, error);

    rtl.clk_i(clk);
    rtl.rst_i(rst);
    rtl.harness_i(harness);
    golden.clk(clk);
    golden.rst(rst);
    harness.write(reinterpret_cast<uintptr_t>(lockstep_harness(run)));
    rst.write(true);

    const double start = lockstep_now();
    sc_core::sc_start();
    result->rtl_seconds = lockstep_now() - start - result->model_seconds;
    return golden.status;
}

void set_random_start(uint64_t seed)
{
    char seed_argument[48];
    std::snprintf(seed_argument, sizeof seed_argument, "+verilator+seed+%u",
                  static_cast<unsigned>(seed % 2147483647 + 1));
    const char *arguments[] = {"lockstep", "+verilator+rand+reset+2", seed_argument};
    Verilated::commandArgs(3, arguments);
}

}  // namespace

extern "C" {

enum anl_status lockstep_run(const struct anl_scenario *scenario,
                             const struct lockstep_options *options, struct lockstep_result *result,
                             struct anl_error *error)
{
    lockstep *run = nullptr;
    if (options->waves_path)
        return anl_fail(error, ANL_ERR_ARGUMENT, options->waves_path, 0,
                        "no waves from the SystemC program: use make waves");
    enum anl_status status = lockstep_create(scenario, options, result, &run, error);
    if (status != ANL_OK) return status;
    set_random_start(scenario->run.seed);
    status = simulate(run, result, error);
    if (status == ANL_OK) status = lockstep_finish(run, error);
    lockstep_destroy(run);
    return status;
}

const char *rtl_key(void) { return ANL_KEY; }

const char *rtl_mode(void) { return "exact"; }

}  // extern "C"

int sc_main(int argc, char **argv) { return lockstep_main(argc, argv); }
