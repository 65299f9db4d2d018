// SPDX-License-Identifier: Apache-2.0
//
// annelid trace show: the records of a trace, or those selected, one a line. The trace is read to
// its end in any case, so what is wrong with it is found.

#include "cmd_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct selection {
    const char *path, *link_name;
    uint64_t from, to;
    uint32_t worm, link;
    bool has_worm, has_link;
};

static const struct argp_option options[] = {
    {"from", 'f', "CYCLE", 0, "Only from this cycle on", 0},
    {"to", 't', "CYCLE", 0, "Only up to this cycle, and with it", 0},
    {"worm", 'w', "ID", 0, "Only this worm", 0},
    {"link", 'l', "LINK", 0, "Only flits on this link: its number or its name, e.g. T3.inject", 0},
    {0},
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct selection *selection = state->input;
    switch (key) {
    case 'f':
        selection->from = cli_number(value, UINT64_MAX, state);
        break;
    case 't':
        selection->to = cli_number(value, UINT64_MAX, state);
        break;
    case 'w':
        selection->worm = (uint32_t)cli_number(value, UINT32_MAX, state);
        selection->has_worm = true;
        break;
    case 'l':
        selection->link_name = value;
        selection->has_link = true;
        break;
    case ARGP_KEY_ARG:
        if (selection->path) argp_error(state, "one trace, please");
        selection->path = value;
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a trace is missing");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// Finds the number of the link that the user named.
static bool find_link(const struct view *view, struct selection *selection)
{
    const char *name = selection->link_name;
    char rest;
    if (name[strspn(name, "0123456789")] == '\0' &&
        sscanf(name, "%10" SCNu32 "%c", &selection->link, &rest) == 1 &&
        (!view->named || selection->link < view->shape.links))
        return true;
    for (uint32_t link = 0; view->named && link < view->shape.links; link++) {
        selection->link = link;
        if (strcmp(view_link(view, link).text, name) == 0) return true;
    }
    struct anl_error error = {0};
    if (view->named)
        anl_fail(&error, ANL_ERR_ARGUMENT, view->path, 0,
                 "no link '%s'; expected 0..%" PRIu32 " or a name such as T0.inject", name,
                 view->shape.links - 1);
    else
        anl_fail(&error, ANL_ERR_ARGUMENT, view->path, 0,
                 "link '%s'; expected a number, for the scenario inside is not understood", name);
    cli_complain(&error);
    return false;
}

static bool selected(const struct selection *selection, const struct anl_record *record)
{
    const bool flit = record->kind == ANL_RECORD_FLIT;
    const uint32_t worm = flit ? record->flit.worm : record->worm.id;
    return record->cycle >= selection->from && record->cycle <= selection->to &&
           (!selection->has_worm || worm == selection->worm) &&
           (!selection->has_link || (flit && record->flit.link == selection->link));
}

static void print_head(const struct view *view)
{
    const bool text = anl_trace_form_of(view->reader) == ANL_TRACE_TEXT;
    printf("# %s, %s, seed %" PRIu64 "\n", view->path, text ? "text" : "binary",
           anl_trace_seed(view->reader));
    if (!view->named) {
        puts("# the scenario inside is not understood: links are shown by number");
        return;
    }
    const struct anl_config *network = &view->scenario.network;
    printf("# %s, k %" PRIu32 ", n %" PRIu32 ", %" PRIu32 " lane%s of %" PRIu32
           " flit%s, %s, %s, %s\n",
           anl_topology_name(network->topology), network->k, network->n, network->num_vcs,
           network->num_vcs == 1 ? "" : "s", network->depth, network->depth == 1 ? "" : "s",
           anl_routing_name(network->routing), anl_scan_name(network->scan),
           anl_admission_name(network->admission));
}

static void print_record(const struct view *view, const struct anl_record *record)
{
    printf("cycle %-7" PRIu64 " ", record->cycle);
    if (record->kind == ANL_RECORD_WORM) {
        print_worm(&record->worm);
    } else {
        printf("%-14s ", view_link(view, record->flit.link).text);
        print_flit(&record->flit);
    }
    putchar('\n');
}

static int show(struct view *view, const struct selection *selection)
{
    struct anl_record record;
    print_head(view);
    while (view_next(view, &record) && !ferror(stdout)) {
        if (record.kind == ANL_RECORD_END) {
            printf("# end: %" PRIu64 " cycles, %" PRIu64 " worms, %" PRIu64
                   " flits, digest %016" PRIx64 "\n",
                   record.cycle, view->worms, record.flits, record.digest);
            return CLI_OK;
        }
        if (selected(selection, &record)) print_record(view, &record);
    }
    return CLI_BAD;
}

int trace_show(int argc, char **argv)
{
    const struct argp argp = {
        options,
        parse_option,
        "FILE",
        "Prints the records of a trace, or those that all the options select, "
        "one a line: cycle, then the worm created, or link, lane, kind "
        "(H head, B body, T tail, S head and tail), worm and index.",
        NULL,
        NULL,
        NULL};
    struct selection selection = {.to = UINT64_MAX};
    struct view view;
    argp_parse(&argp, argc, argv, 0, NULL, &selection);
    if (!view_open(&view, selection.path)) return CLI_BAD;
    int exit_status = CLI_BAD;
    if (!selection.has_link || find_link(&view, &selection)) exit_status = show(&view, &selection);
    view_close(&view);
    return exit_status;
}
