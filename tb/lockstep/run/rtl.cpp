// SPDX-License-Identifier: Apache-2.0

#include "rtl.h"

#include "compare/failure.h"
#include "context.h"

#include <cctype>
#include <memory>
#include <verilated_sym_props.h>
#include <verilated_syms.h>

#include "Vanl_lockstep_top.h"
#if VM_TRACE
#include <verilated_vcd_c.h>
#endif
#if VM_COVERAGE
#include <cstdlib>
#include <verilated_cov.h>
#endif

struct rtl : rtl_context {
    std::unique_ptr<Vanl_lockstep_top> top;
    uint64_t cycle = 0;
    bool over = false;  // the end of the simulation was told to the RTL
#if VM_TRACE
    std::unique_ptr<VerilatedVcdC> waves;
#endif
};

static void dump(rtl *rtl, unsigned phase)
{
#if VM_TRACE
    if (rtl->waves) rtl->waves->dump(rtl->cycle * RTL_CYCLE + phase);
#else
    (void)rtl, (void)phase;
#endif
}

// In programs built with coverage, writes the counts to the path in ANNELID_COVERAGE plus the
// suffix.
static void write_coverage(rtl *rtl, const char *suffix)
{
#if VM_COVERAGE
    const char *path = std::getenv("ANNELID_COVERAGE");
    if (!path) return;
    rtl->coveragep()->forcePerInstance(true);
    rtl->coveragep()->write((std::string(path) + suffix).c_str());
    rtl->coveragep()->zero();
#else
    (void)rtl, (void)suffix;
#endif
}

namespace
{

// Returns the variable of a name in a scope or in the ones around it, or a null pointer. Verilator
// keeps the names of those that are public.
const VerilatedVar *find_variable(std::string scope, const std::string &name)
{
    while (!scope.empty()) {
        const VerilatedScope *found = Verilated::scopeFind(scope.c_str());
        const VerilatedVar *variable = found ? found->varFind(name.c_str()) : nullptr;
        if (variable) return variable;
        const size_t point = scope.rfind('.');
        if (point == std::string::npos || scope.compare(point, std::string::npos, ".u_switch") == 0)
            break;
        scope.erase(point);
    }
    return nullptr;
}

// Returns the value of a variable in decimal, or if it has more than 32 bits in hexadecimal; "" if
// it is no packed one.
std::string value_of(const VerilatedVar *variable)
{
    const auto *byte = static_cast<const unsigned char *>(variable->datap());
    const auto bytes = static_cast<size_t>(variable->elements(0) + 7) / 8;
    if (variable->udims() || variable->vltype() == VLVT_STRING) return "";
    if (bytes <= 4) {
        uint32_t number = 0;
        std::memcpy(&number, byte, bytes);
        return std::to_string(number);
    }
    std::string text = "0x";
    char digits[3];
    for (size_t i = bytes; i-- > 0;) {
        std::snprintf(digits, sizeof digits, "%02x", byte[i]);
        text += digits;
    }
    return text;
}

bool is_name(char sign, bool first)
{
    return std::isalpha(static_cast<unsigned char>(sign)) || sign == '_' ||
           (!first && std::isdigit(static_cast<unsigned char>(sign)));
}

void run_cycle(rtl *rtl)
{
    rtl_low(rtl);
    rtl_high(rtl);
}

}  // namespace

extern "C" {

rtl *rtl_create(const anl_config *, const void *harness, uint64_t seed, const rtl_options *,
                anl_error *)
{
    auto *result = new rtl;
    result->random_start(seed);
    result->traceEverOn(true);
    result->top = std::make_unique<Vanl_lockstep_top>(result);
    rtl_harness(result, harness);
    return result;
}

void rtl_destroy(rtl *rtl)
{
    if (!rtl) return;
    rtl_end(rtl);
    rtl_waves_end(rtl);
    write_coverage(rtl, "");
    delete rtl;
}

void rtl_low(rtl *rtl)
{
    rtl->top->clk_i = 0;
    rtl->top->eval();
    dump(rtl, 0);
}

void rtl_high(rtl *rtl)
{
    rtl->top->clk_i = 1;
    rtl->top->eval();
    dump(rtl, RTL_CYCLE / 2);
    rtl->cycle += rtl->running;
}

void rtl_harness(rtl *rtl, const void *harness)
{
    rtl->harness = rtl->top->harness_i = reinterpret_cast<uintptr_t>(harness);
}

void rtl_power_up(rtl *rtl)
{
    rtl->top->rst_i = 1;
    for (int i = 0; i < 3; i++) {
        run_cycle(rtl);
        if (i == 1) write_coverage(rtl, ".start");  // random bits that reset replaces
    }
}

void rtl_reset(rtl *rtl, uint32_t lead)
{
    rtl->running = false;
    rtl->top->rst_i = 1;
    run_cycle(rtl);
    rtl->top->rst_i = 0;
    rtl->running = true;
    for (; lead > 0; lead--) {
        run_cycle(rtl);
        rtl->cycle = 0;
    }
}

void rtl_values(struct failure *failure)
{
    std::string text, seen = " ";
    const char *at = failure->condition;
    while (*at) {
        const char *end = at;
        while (is_name(*end, end == at))
            end++;
        const std::string name(at, end);
        at = end == at ? at + 1 : end;
        if (name.empty() || seen.find(" " + name + " ") != std::string::npos) continue;
        seen += name + " ";
        const VerilatedVar *variable = find_variable(failure->scope, name);
        const std::string value = variable ? value_of(variable) : "";
        if (!value.empty()) text += (text.empty() ? "" : ", ") + name + " " + value;
    }
    std::snprintf(failure->values, sizeof failure->values, "%s", text.c_str());
}

void rtl_end(rtl *rtl)
{
    if (!rtl->over) rtl->top->final();
    rtl->over = true;
}

bool rtl_is_low(const rtl *rtl) { return !rtl->top->clk_i; }

bool rtl_waves(rtl *rtl, const char *path, const uint32_t *, size_t)
{
#if VM_TRACE
    rtl->waves = std::make_unique<VerilatedVcdC>();
    rtl->top->trace(rtl->waves.get(), 99);
    rtl->waves->open(path);
    return rtl->waves->isOpen();
#else
    (void)rtl, (void)path;
    return false;
#endif
}

void rtl_waves_end(rtl *rtl)
{
#if VM_TRACE
    if (rtl->waves) rtl->waves->close();
    rtl->waves.reset();
#else
    (void)rtl;
#endif
}

bool rtl_has_waves(const rtl *) { return VM_TRACE; }

const char *rtl_key(void) { return ANL_KEY; }

const char *rtl_mode(void) { return ANL_MODE; }

}  // extern "C"
