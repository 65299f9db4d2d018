// SPDX-License-Identifier: Apache-2.0
//
// annelid rtl: writes the network of a scenario as SystemVerilog, for a design of the user's own.

#include "design/design.h"

#include <annelid/rtl.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME_BYTES = 64 };

struct arguments {
    struct cli_given given;
    const char *output, *name, *ports;
    const struct design_kind *kind;
    uint32_t tdata_bits, tuser_bits;
    bool tkeep, tid, interleave, aresetn, per_terminal;
    bool clocks;
    const char *regions, *instance;
    struct design_axi axi;
    char fallback[NAME_BYTES];
};

#define AT(member) CLI_AT(struct arguments, member)

static const struct cli_option options[] = {
    {"output", 'o', "DIR",
     "Where to write: a directory, or FILE.sv for the module of a graph alone", AT(output),
     .output = true, .aside = true},
    {"ports", 0, "links|axis|axi|STYLE",
     "What the terminals are: links, AXI4-Streams (axis), AXI4 ports (axi), or links of another "
     "style: ready_valid, ready_valid_per_lane, stop_go, credit_pulse_shared",
     AT(ports)},
    {"tdata", 0, "BITS", "Of streams: width of TDATA, whole bytes; if not given: 32",
     AT(tdata_bits), .least = 8, .most = DESIGN_MOST_TDATA_BITS},
    {"tkeep", 0, NULL, "Of streams: TKEEP, which says the bytes of a beat that count", AT(tkeep)},
    {"tuser", 0, "BITS", "Of streams: TUSER of this width", AT(tuser_bits), .least = 1,
     .most = DESIGN_MOST_TUSER_BITS},
    {"tid", 0, NULL, "Of streams: TID of a stream out is the terminal that sent the packet",
     AT(tid)},
    {"interleave", 0, NULL, "Of streams: packets of different lanes interleave", AT(interleave)},
    {"aresetn", 0, NULL, "Of streams: the reset is active low", AT(aresetn)},
    {"per-terminal", 0, NULL, "Of streams: ports of each terminal instead of vectors",
     AT(per_terminal)},
    {"map", 0, "FILE", "Of AXI4: the address map, rows of base, size and terminal", AT(axi.map),
     .input = true},
    {"users", 0, "LIST",
     "Of AXI4: terminals with a port for your manager, 0,2-3; if not given: those that the map "
     "does "
     "not name",
     AT(axi.users)},
    {"lite", 0, "LIST", "Of AXI4: those of them whose port is AXI4-Lite", AT(axi.lite)},
    {"data", 0, "BITS", "Of AXI4: width of data, a power of two; if not given: 64",
     AT(axi.data_bits), .least = 8, .most = 1024},
    {"address", 0, "BITS", "Of AXI4: width of addresses; if not given: 32", AT(axi.address_bits),
     .least = 12, .most = 64},
    {"id", 0, "BITS", "Of AXI4: width of IDs; if not given: 4", AT(axi.id_bits), .least = 1,
     .most = 16},
    {"bursts", 0, "N",
     "Of AXI4: bursts under way at most, of each port and direction; if not given: 4",
     AT(axi.bursts), .least = 1, .most = 64},
    {"max-beats", 0, "N", "Of AXI4: longest burst that is carried; if not given: 16",
     AT(axi.max_beats), .least = 1, .most = 256},
    {"room", 0, "N",
     "Of AXI4: beats that a port stores in each direction; if not given: as many as a burst has",
     AT(axi.room), .least = 1, .most = 4096},
    {"reorder", 0, "N",
     "Of AXI4: slots of a reorder buffer in each direction, 0: none; if not given: 0",
     AT(axi.reorder), .least = 0, .most = 16},
    {"clock-per-terminal", 0, NULL,
     "Each terminal has a clock and a reset of its own; its links cross to that of the network",
     AT(clocks)},
    {"clock-regions", 0, "FILE|NAME=LIST",
     "Switches have clocks of their own: a table with rows of a name and switches, 0,2-3, or the "
     "rows themselves, with ; between them",
     AT(regions)},
    {"instance", 0, "PATH",
     "Of several clocks: where the network stands in your design, as in u_chip.u_noc; LPF and PCF "
     "then name its clocks there",
     AT(instance)},
    {"name", 0, "NAME", "Name of the top module; if not given: that of the scenario, and _network",
     AT(name)},
    {0},
};

#define OF_STREAMS(name)                                                                           \
    {                                                                                              \
        .option = name, .needs = "ports=axis"                                                      \
    }

// What AXI4 has anyway may be asked for.
#define OF_AXIS_AND_AXI(name)                                                                      \
    {                                                                                              \
        .option = name, .needs = "ports=axis|ports=axi"                                            \
    }

#define OF_AXI(name)                                                                               \
    {                                                                                              \
        .option = name, .needs = "ports=axi"                                                       \
    }

static const struct cli_rule rules[] = {
    OF_STREAMS("tdata"),
    OF_STREAMS("tkeep"),
    OF_STREAMS("tuser"),
    OF_STREAMS("tid"),
    OF_STREAMS("interleave"),
    OF_AXIS_AND_AXI("aresetn"),
    OF_AXIS_AND_AXI("per-terminal"),
    OF_AXI("map"),
    OF_AXI("users"),
    OF_AXI("lite"),
    OF_AXI("data"),
    OF_AXI("address"),
    OF_AXI("id"),
    OF_AXI("bursts"),
    OF_AXI("max-beats"),
    OF_AXI("room"),
    OF_AXI("reorder"),
    {.option = "instance", .needs = "clock-per-terminal|clock-regions"},
    {0}};

static bool is_name(const char *text)
{
    if (!isalpha((unsigned char)*text) || strlen(text) >= NAME_BYTES) return false;
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return !*text;
}

// Returns whether a path is called as files are, "net.v": there is an ending of up to four letters,
// and no directory of this name.
static bool is_like_file(const char *path)
{
    struct stat there;
    const char *dot = strrchr(path, '.');
    size_t letters = 0;
    if (!dot || dot == path || dot[-1] == '/' || dot[-1] == '.') return false;
    while (isalpha((unsigned char)dot[1 + letters]))
        letters++;
    if (letters == 0 || letters > 4 || dot[1 + letters]) return false;
    return stat(path, &there) != 0 || !S_ISDIR(there.st_mode);
}

static bool is_module(const struct arguments *arguments)
{
    return cli_is_stdout(arguments->output) || cli_ends_in(arguments->output, ".sv");
}

static void check_name(const char *name, struct argp_state *state)
{
    if (!is_name(name) || strncmp(name, "anl_", 4) == 0)
        argp_error(state,
                   "--name %s: expected a letter, then letters, digits or _, not anl_ in front, at "
                   "most %d in all",
                   name, NAME_BYTES - 1);
    if (strcmp(name, "annelid_rtl") == 0)
        argp_error(state, "--name %s: expected another name, for that is the shared core", name);
    if (design_is_keyword(name))
        argp_error(state, "--name %s: expected a name that is no keyword of SystemVerilog", name);
}

// Returns whether a text is a path of instances, "u_chip.g_net[3].u_noc".
static bool is_path(const char *text)
{
    static const char inside[] = "_.[]$";
    if (!isalpha((unsigned char)*text) && *text != '_') return false;
    for (const char *at = text; *at; at++)
        if ((!isalnum((unsigned char)*at) && !strchr(inside, *at)) ||
            (*at == '.' && (at[1] == '.' || !at[1])))
            return false;
    return true;
}

static uint32_t given_or(uint32_t value, uint32_t otherwise) { return value ? value : otherwise; }

// Fills in what was not said of AXI4 ports.
static void complete_axi(struct arguments *arguments, struct argp_state *state)
{
    struct design_axi *axi = &arguments->axi;
    axi->data_bits = given_or(axi->data_bits, DESIGN_AXI_DATA_BITS);
    axi->address_bits = given_or(axi->address_bits, DESIGN_AXI_ADDRESS_BITS);
    axi->id_bits = given_or(axi->id_bits, DESIGN_AXI_ID_BITS);
    axi->bursts = given_or(axi->bursts, DESIGN_AXI_BURSTS);
    axi->of_bursts = axi->max_beats ? "max-beats"
                     : axi->room    ? "room"
                     : axi->reorder ? "reorder"
                                    : NULL;
    axi->max_beats = given_or(axi->max_beats, DESIGN_AXI_BEATS);
    axi->room = given_or(axi->room, axi->max_beats);
    if ((axi->data_bits & (axi->data_bits - 1)) != 0)
        argp_error(state, "--data %u: expected a power of two from 8 to 1024", axi->data_bits);
    if (axi->room < axi->max_beats)
        argp_error(state, "--room %u: expected at least as much as a burst has, %u", axi->room,
                   axi->max_beats);
    if (axi->reorder > UINT32_C(1) << axi->id_bits)
        argp_error(state, "--reorder %u: expected at most %u, since slots are IDs of %u bits",
                   axi->reorder, UINT32_C(1) << axi->id_bits, axi->id_bits);
    if (strcmp(arguments->ports, "axi") == 0 && !axi->map)
        argp_error(state, "--ports axi: the address map is missing: --map FILE");
}

static void check(void *user, struct argp_state *state)
{
    struct arguments *arguments = user;
    if (!arguments->output) argp_error(state, "where to write is missing: -o DIR");
    if (!is_module(arguments) && is_like_file(arguments->output))
        argp_error(state, "-o %s: expected a directory, or FILE.sv (%s/ is a directory)",
                   arguments->output, arguments->output);
    if (arguments->name) check_name(arguments->name, state);
    if (arguments->ports && is_module(arguments))
        argp_error(state, "--ports has no effect on the module of a graph; expected -o DIR");
    if ((arguments->clocks || arguments->regions) && is_module(arguments))
        argp_error(state, "%s has no effect on the module of a graph; expected -o DIR",
                   arguments->clocks ? "--clock-per-terminal" : "--clock-regions");
    if (arguments->instance && !is_path(arguments->instance))
        argp_error(state, "--instance %s: expected names of instances with a dot between them",
                   arguments->instance);
    if (!arguments->ports) arguments->ports = "links";
    if (arguments->tdata_bits % 8 != 0)
        argp_error(state, "--tdata %u: expected whole bytes, a multiple of 8",
                   arguments->tdata_bits);
    complete_axi(arguments, state);
    arguments->kind = design_kind_named(arguments->ports);
    if (!arguments->kind)
        argp_error(state,
                   "--ports %s: expected links (or credit, which is the same), axis, axi, "
                   "ready_valid, ready_valid_per_lane, stop_go or credit_pulse_shared",
                   arguments->ports);
}

// Returns "star_network" for "path/star.yaml".
static const char *name_of(struct arguments *arguments)
{
    static const char behind[] = "_network";
    const char *from = cli_name_in_folder(arguments->given.inputs[0]);
    char *to = arguments->fallback, *end = to + NAME_BYTES - sizeof behind;
    if (!isalpha((unsigned char)*from) || strncmp(from, "anl_", 4) == 0) *to++ = 'n';
    for (; *from && *from != '.' && to < end; from++)
        *to++ = isalnum((unsigned char)*from) ? *from : '_';
    strcpy(to, behind);
    return arguments->fallback;
}

static struct design_axis streams_of(const struct arguments *arguments)
{
    return (struct design_axis){.tdata_bits = arguments->tdata_bits ? arguments->tdata_bits
                                                                    : DESIGN_TDATA_BITS,
                                .tuser_bits = arguments->tuser_bits,
                                .tkeep = arguments->tkeep,
                                .tid = arguments->tid,
                                .interleave = arguments->interleave,
                                .aresetn = arguments->aresetn,
                                .per_terminal = arguments->per_terminal};
}

// Writes package and module of a graph to one file.
static enum anl_status write_module(struct design *design, const char *path,
                                    struct anl_error *error)
{
    const struct anl_config *config = design->config;
    struct anl_output output;
    if (!config->graph)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "expected a graph: the module of a %s is %s in rtl/net",
                        anl_topology_name(config->topology), anl_rtl_module(config));
    enum anl_status status = design_may_replace(path, design->name, error);
    if (!status) status = anl_output_open(path, &output, error);
    if (status) return status;
    design_put_origin(output.file, design, "// ");
    status = anl_rtl_graph_package(config, design->name, output.file);
    fputc('\n', output.file);
    if (!status) status = anl_rtl_graph(config, design->name, output.file);
    if (!status) return anl_output_finish(&output, error);
    anl_output_abandon(&output);
    return cli_fail(status, error);
}

// Writes the design, and prints what it will cost.
static enum anl_status write_directory(struct design *design, const char *path,
                                       struct anl_error *error)
{
    char *cost = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&cost, &bytes);
    if (!memory) return anl_fail(error, ANL_ERR_MEMORY, path, 0, "no memory for its cost");
    design_put_cost(memory, design);
    fclose(memory);
    design->cost = cost;
    const enum anl_status status = design_write(design, path, error);
    if (!status) fputs(cost, stdout);
    free(cost);
    return status;
}

int cmd_rtl(int argc, char **argv)
{
    static const struct cli_command command = {
        .inputs = &cli_one_scenario,
        .options = options,
        .rules = rules,
        .check = check,
        .help = "Writes the network of a scenario as SystemVerilog: a top module with all files "
                "that it needs, a bench, and a page that says how to use them."};
    struct arguments arguments = {0};
    struct anl_scenario scenario;
    struct anl_error error = {0};
    cli_parse(&command, argc, argv, &arguments);
    if (cli_load(&arguments.given, &scenario)) return CLI_BAD;
    if (anl_rtl_check(&scenario.network, arguments.given.inputs[0], &error)) {
        anl_scenario_free(&scenario);
        return cli_complain(&error);
    }
    struct anl_config network = scenario.network;
    struct design design = {.config = &network,
                            .scenario = &scenario,
                            .given = &arguments.given,
                            .name = arguments.name ? arguments.name : name_of(&arguments),
                            .kind = arguments.kind,
                            .axis = streams_of(&arguments),
                            .axi = arguments.axi,
                            .clocks = arguments.clocks,
                            .instance = arguments.instance,
                            .regions = {.table = arguments.regions}};
    enum anl_status status = design_regions_prepare(&design, &error);
    if (!status && design.kind->prepare) status = design.kind->prepare(&design, &error);
    if (design.kind->flit_bits)
        network.flit_width_bits = anl_head_bits(&network) + design.kind->flit_bits(&design);
    if (!status)
        status = (is_module(&arguments) ? write_module : write_directory)(&design, arguments.output,
                                                                          &error);
    if (design.kind->forget) design.kind->forget(&design);
    design_regions_forget(&design);
    anl_scenario_free(&scenario);
    return status ? cli_complain(&error) : CLI_OK;
}
