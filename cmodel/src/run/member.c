// SPDX-License-Identifier: Apache-2.0
//
// A run of a member of a team, which has a part of the network (team.c).

#include "run.h"

static enum anl_status create(struct run *run)
{
    run->team = (struct run_team){.scenario = run->scenario,
                                  .workload = run_workload_of(run->scenario, run->options),
                                  .members = run->options->team};
    return run_team_create(&run->team, &run->engine, run->error);
}

static enum anl_status traffic(struct run *run, struct anl_workload workload)
{
    const struct run_team *team = &run->team;
    if (team->divides)
        return anl_traffic_create_part(workload, team->first, team->terminals, &run->traffic);
    return run_alone.traffic(run, workload);
}

static enum anl_status agree(struct run *run, enum anl_status status)
{
    return run_team_agree(&run->team, status, &run->recorded, run->error);
}

static enum anl_status resume(struct run *run, enum anl_status status, const struct run_kept *kept)
{
    if (!status && kept)
        run_team_resume(&run->team, run->engine, run->traffic, kept->totals.enqueued,
                        kept->idle_cycles);
    return agree(run, status);
}

static void destroy(struct run *run) { run_team_destroy(&run->team); }

// --- a cycle ---

static enum anl_status create_worms(struct run *run, uint64_t now, struct run_created *created)
{
    struct run_team *team = &run->team;
    enum anl_status status;
    if (!team->divides) {
        status = run_alone.create_worms(run, now, created);
        if (status || !team->workload.own) return status;
        return run_team_compare(team, run->traffic, now, run->error);
    }
    status = run_creation_cycle(&team->creation, team, run->traffic, now,
                                run_next_checkpoint(run, now), created);
    if (status) return status;
    if (created->id + created->count > UINT32_MAX) return run_refuse_worms(run);
    anl_engine_number(run->engine, (uint32_t)created->id);
    return ANL_OK;
}

// All members know all worms, so one of them counts them, unless each knows its own.
static enum anl_status worm(struct run *run, const struct anl_worm *new_worm, uint32_t id)
{
    const struct anl_worm made = run_team_worm(&run->team, run->engine, new_worm, id);
    if (!run->team.divides && run->team.members->rank != 0) return ANL_OK;
    statistics_worm(&run->statistics, &made);
    return run->recorded ? run_team_note_worm(&run->team, &made) : ANL_OK;
}

static enum anl_status step(struct run *run)
{
    return run_team_step(&run->team, run->engine, run->error);
}

static enum anl_status all_worms(struct run *run, const struct anl_worm **worms, size_t *count,
                                 bool *asks)
{
    *asks = run->team.answers;
    if (!*asks) return ANL_OK;
    *worms = run_team_worms(&run->team, *worms, count);
    return *worms ? ANL_OK : ANL_ERR_MEMORY;
}

static void see(struct run *run)
{
    const struct run_team *team = &run->team;
    const bool done = team->divides ? run_creation_done(&team->creation, run->traffic)
                                    : anl_traffic_done(run->traffic);
    run_team_see(&run->team, run->engine, done);
}

static enum anl_status flits(struct run *run, uint64_t cycle)
{
    (void)cycle;
    return run_team_note_flits(&run->team, run->engine);
}

// --- how far all members are ---

static bool look(struct run *run)
{
    struct run_team *team = &run->team;
    team->looked = run_team_look(team, run->engine, run->traffic, !run->stops, &team->look);
    if (!team->looked) return false;
    run->totals = team->look.totals;
    run->idle_cycles = anl_engine_cycle(run->engine) - team->look.last_move;
    run->stops = team->look.stops;
    return true;
}

// Notes after how many cycles the members look together the next time. A run that leaves a
// checkpoint may stop when all worms are created that its members have drawn.
static void looked(struct run *run)
{
    const struct run_creation *creation = &run->team.creation;
    const uint64_t next = run_least(run->cycles + run->patience - run->idle_cycles,
                                    run_next_checkpoint(run, run->cycles));
    const bool waits = run->options->checkpoint && run->team.divides;
    run->may_stop_after = waits ? creation->begin + creation->cycles : 0;
    run->team.look_at = run->stops ? run_least(next, run->may_stop_after) : next;
}

static bool is_idle(const struct run *run) { return run->team.looked && run->team.look.idle; }
static bool is_done(const struct run *run) { return run->team.look.done; }

// Nothing has happened since the last worm was delivered.
static void cut(struct run *run) { run->cycles = run->team.look.last_end; }

static uint64_t next_creation(const struct run *run)
{
    const struct run_team *team = &run->team;
    if (!team->divides) return run_alone.next_creation(run);
    return run_creation_next(&team->creation, anl_engine_cycle(run->engine), team->look.next);
}

static enum anl_status feed(struct run *run)
{
    const struct run_feed observers = {run, run_feed_worm, run_feed_flits};
    if (!run->team.looked) return ANL_OK;
    return run_team_feed(&run->team, anl_engine_cycle(run->engine), run->cycles, &observers);
}

static enum anl_status gather(struct run *run)
{
    statistics_cut(&run->statistics, run->cycles);
    return statistics_join(&run->statistics, run->team.members);
}

const struct run_way run_of_member = {
    .create = create,
    .traffic = traffic,
    .agree = agree,
    .resume = resume,
    .destroy = destroy,
    .create_worms = create_worms,
    .worm = worm,
    .step = step,
    .all_worms = all_worms,
    .see = see,
    .flits = flits,
    .look = look,
    .looked = looked,
    .is_idle = is_idle,
    .is_done = is_done,
    .cut = cut,
    .next_creation = next_creation,
    .feed = feed,
    .gather = gather,
};
