// SPDX-License-Identifier: Apache-2.0

#include "cmd_bounds.h"

#include <annelid/network.h>
#include <stdio.h>
#include <string.h>

struct name {
    char text[80];
};

static struct name name_of_link(const struct bounds_answer *answer, uint32_t link)
{
    struct name name;
    anl_link_name(&answer->scenario->network, link, name.text, sizeof name.text);
    return name;
}

// A lane is part of the name where a link has several.
static struct name name_of(const struct bounds_answer *answer, uint32_t channel)
{
    const uint32_t num_vcs = answer->scenario->network.num_vcs;
    struct name name = name_of_link(answer, channel / num_vcs);
    const size_t used = strlen(name.text);
    if (num_vcs > 1)
        snprintf(name.text + used, sizeof name.text - used, " lane %" PRIu32, channel % num_vcs);
    return name;
}

// --- text ---

static void print_worms(const struct bounds_answer *answer)
{
    const struct anl_trial *trial = &answer->trial;
    printf("worms       P = %" PRIu64 ", L = %" PRIu32, trial->worms, trial->longest);
    if (trial->shortest != trial->longest) printf(" (%" PRIu32 " to it)", trial->shortest);
    if (trial->last_created) printf(", created until cycle %" PRIu64, trial->last_created);
    const char *how = "drawn, not run";
    if (answer->ran)
        how = trial->complete ? "as the run took them" : "as far as the run came; --fixed has all";
    printf("\npaths       %s\n", how);
}

static void print_load(const struct anl_load_place *load)
{
    const uint32_t first = load->subtree << 2 * load->level;
    printf("load        lambda = %g, on the channel %s ", load->factor,
           load->up ? "up from" : "down to");
    if (load->level == 0)
        printf("terminal %" PRIu32 "\n", first);
    else
        printf("the %" PRIu32 " terminals from %" PRIu32 "\n", UINT32_C(1) << 2 * load->level,
               first);
}

static void print_measures(const struct bounds_answer *answer)
{
    const struct anl_paths_measures *measures = &answer->measures;
    const struct anl_load_place *load = &answer->trial.load;
    printf("congestion  c = %" PRIu32 " over %s, mean %.2f over links that are used\n",
           measures->congestion, name_of_link(answer, measures->link).text, measures->mean);
    printf("dilation    d = %" PRIu32 ", eta = min(d, L) = %" PRIu64 "\n", measures->dilation,
           answer->theorem.eta);
    if (load->factor > 0) print_load(load);
}

static void print_time(const struct bounds_answer *answer)
{
    const struct anl_trial *trial = &answer->trial;
    const bool one_length = trial->shortest == trial->longest;
    if (trial->lower)
        printf("at least    %" PRIu64 " cycles: %s\n", trial->lower,
               one_length ? "max(c L, d + L - 1)"
                          : "flits over one link, or the way of one worm (lengths differ)");
    if (answer->ran && trial->complete)
        printf("measured    %" PRIu64 " cycles (the paper's time is %" PRIu64
               ": it counts from 0), %.3f c L\n",
               trial->cycles, trial->cycles - 1,
               (double)trial->cycles / ((double)answer->measures.congestion * trial->longest));
    if (answer->ran && !trial->complete)
        printf("measured    not all delivered: %" PRIu64 " of %" PRIu64 " in %" PRIu64 " cycles\n",
               trial->delivered, trial->worms, trial->cycles);
}

static void print_theorem(const struct bounds_answer *answer)
{
    const struct anl_bounds_schedule *theorem = &answer->theorem;
    const struct anl_trial *trial = &answer->trial;
    printf("theorem 2   %" PRIu64 " cycles: R = 5 c %s = %" PRIu64 " phases of 10 T1 L = %" PRIu64
           ", T1 = max(d / L, ln P, 1) = %.3f\n",
           theorem->cycles, trial->longest < answer->measures.dilation ? "L" : "d", theorem->delays,
           theorem->phase_cycles, theorem->t1);
    if (trial->shortest != trial->longest)
        puts("            it is about worms of one length: this is for the longest");
    if (trial->last_created)
        puts(
            "            it is about worms that all wait at the start: this is after the last one");
}

static void print_checks(const struct bounds_answer *answer)
{
    const struct anl_paths_meeting *meeting = &answer->meeting;
    puts(answer->cycle_length ? "acyclic     no, the dependency graph has a cycle:"
                              : "acyclic     yes");
    for (size_t i = 0; answer->cycle_length && i <= answer->cycle_length; i++)
        printf("            %s%s\n", i ? "-> " : "",
               name_of(answer, answer->cycle[i % answer->cycle_length]).text);
    if (!meeting->found) {
        puts("contiguous  yes: no two paths part and meet again");
        return;
    }
    const struct name part = name_of_link(answer, meeting->part);
    const struct name meet = name_of_link(answer, meeting->meet);
    printf("contiguous  no: worms %" PRIu32 " and %" PRIu32, meeting->worms[0], meeting->worms[1]);
    if (meeting->reversed)
        printf(" both take %s and %s, but in opposite order\n", part.text, meet.text);
    else
        printf(" both take %s, part, and meet again in %s\n", part.text, meet.text);
    puts("            (Theorem 2 assumes that none do; its bound is then not proven)");
}

static void print_delayed(const struct bounds_answer *answer)
{
    const struct anl_bounds_schedule *schedule = &answer->schedule;
    const struct anl_trial *delayed = &answer->delayed;
    printf("delayed     %" PRIu64 " cycles with %" PRIu64 " phases of %" PRIu64 ", c = %" PRIu32
           "; %" PRIu64 " of %" PRIu64 " worms missed their phase\n",
           delayed->cycles, schedule->delays, schedule->phase_cycles, delayed->congestion,
           delayed->missed, delayed->worms);
    if (!delayed->complete) puts("            not all worms were delivered");
}

void bounds_print_text(const struct bounds_answer *answer)
{
    print_worms(answer);
    print_measures(answer);
    print_time(answer);
    print_theorem(answer);
    if (answer->has_delayed) print_delayed(answer);
    print_checks(answer);
}

// --- JSON; the names of links hold nothing that it would want escaped ---

static const char *truth(bool yes) { return yes ? "true" : "false"; }

static void print_json_schedule(const char *name, const struct anl_bounds_schedule *schedule)
{
    printf(", \"%s\": {\"t1\": %.6f, \"phases\": %" PRIu64 ", \"phase_cycles\": %" PRIu64
           ", \"cycles\": %" PRIu64 "}",
           name, schedule->t1, schedule->delays, schedule->phase_cycles, schedule->cycles);
}

static void print_json_checks(const struct bounds_answer *answer)
{
    const struct anl_paths_meeting *meeting = &answer->meeting;
    printf(", \"acyclic\": %s, \"cycle\": [", truth(!answer->cycle_length));
    for (size_t i = 0; i < answer->cycle_length; i++)
        printf("%s\"%s\"", i ? ", " : "", name_of(answer, answer->cycle[i]).text);
    printf("], \"contiguous\": %s", truth(!meeting->found));
    if (meeting->found)
        printf(", \"meeting\": {\"worms\": [%" PRIu32 ", %" PRIu32
               "], \"part\": \"%s\", \"meet\": \"%s\", \"reversed\": %s}",
               meeting->worms[0], meeting->worms[1], name_of_link(answer, meeting->part).text,
               name_of_link(answer, meeting->meet).text, truth(meeting->reversed));
}

void bounds_print_json(const struct bounds_answer *answer)
{
    const struct anl_trial *trial = &answer->trial;
    const struct anl_paths_measures *measures = &answer->measures;
    printf("{\"paths\": \"%s\", \"worms\": %" PRIu64 ", \"length\": %" PRIu32
           ", \"shortest\": %" PRIu32 ", \"last_created\": %" PRIu64,
           answer->ran ? "observed" : "fixed", trial->worms, trial->longest, trial->shortest,
           trial->last_created);
    printf(", \"congestion\": %" PRIu32 ", \"mean_congestion\": %.6f, \"dilation\": %" PRIu32
           ", \"eta\": %" PRIu64,
           measures->congestion, measures->mean, measures->dilation, answer->theorem.eta);
    if (trial->load.factor > 0) printf(", \"load_factor\": %.6f", trial->load.factor);
    if (trial->lower) printf(", \"lower_cycles\": %" PRIu64, trial->lower);
    if (answer->ran)
        printf(", \"complete\": %s, \"cycles\": %" PRIu64, truth(trial->complete), trial->cycles);
    print_json_schedule("theorem_2", &answer->theorem);
    if (answer->has_delayed) {
        print_json_schedule("schedule", &answer->schedule);
        printf(", \"delayed\": {\"complete\": %s, \"cycles\": %" PRIu64 ", \"congestion\": %" PRIu32
               ", \"missed\": %" PRIu64 "}",
               truth(answer->delayed.complete), answer->delayed.cycles, answer->delayed.congestion,
               answer->delayed.missed);
    }
    print_json_checks(answer);
    puts("}");
}
