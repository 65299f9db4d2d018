// SPDX-License-Identifier: Apache-2.0
//
// Replays the record (draw.h): pushes and pops flits as they crossed links. What each buffer waits
// for was found by the blocking analysis; the page decides nothing itself.
//
// Buffers are numbered as in docs/worms.md. The state of a cycle is the contents of the buffers at
// its start, and what each blocked front flit waits for in it.

'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const NOTHING = -1, MOVING = 0, KEYFRAME_CYCLES = 50;
const WAITS = ['moving', 'bound_elsewhere', 'no_credit', 'lost_arbitration', 'not_yet', 'behind', 'queued', 'lost', 'refused'];
const LOST = WAITS.indexOf('lost'), REFUSED = WAITS.indexOf('refused');
const element = id => document.getElementById(id);
data.worms = data.worms.map(([id, source, destination, length, class_, message, created, injected, delivered, cycles, delays]) =>
  ({ id, source, destination, length, class_, message, created, injected, delivered, cycles, delays })).sort((a, b) => a.id - b.id);
data.stalls = data.stalls.map(([worm, buffer, begin, end, blocker, root_blocker]) => ({ worm, buffer, begin, end, blocker, root_blocker }));
const worms = new Map(data.worms.map(worm => [worm.id, worm]));
const num_lanes = data.links.length * data.vcs;
const is_source = buffer => buffer >= num_lanes;
const is_ejection = buffer => data.ejection.has(buffer);
const num_terminals = data.ejection.length;
// By lane of an ejection link: its terminal.
data.ejection = new Map(data.ejection.flatMap((lane, terminal) => Array.from({ length: data.vcs }, (_, vc) => [lane + vc, terminal])));
const source_of = worm => num_lanes + worm.class_ * num_terminals + worm.source;

// --- the record: for each cycle the flits, then the changes of waits, as bytes in base64 ---

const bytes = Uint8Array.from(atob(data.record), c => c.charCodeAt(0));
const offsets = [];  // where each cycle begins

class Reader {
  constructor(at) { this.at = at; }
  number() {
    let value = 0, scale = 1, byte;
    do {
      byte = bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte & 128);
    return value;
  }
}

function read_flits(reader, each) {
  let buffer = 0;
  for (let left = reader.number(); left > 0; left--) {
    const word = reader.number();
    buffer += word >> 1;
    each(buffer, word & 1 ? reader.number() : NOTHING);
  }
}

function read_waits(reader, cycle, each) {
  let buffer = 0;
  for (let left = reader.number(); left > 0; left--) {
    buffer += reader.number();
    const cause = reader.number();
    if (cause === MOVING) {
      each(buffer);
      continue;
    }
    const next = reader.number() - 1, wish = reader.number();  // lowest bit: the link after it will do too
    const wants = wish & 1 ? [wish >> 1, (wish >> 1) + 1] : [wish >> 1];
    each(buffer, { cause, next, wants, since: cycle - reader.number() });
  }
}

// --- the state of a cycle ---

class State {
  constructor() {
    this.cycle = data.from;
    this.flits = Array.from({ length: num_lanes }, () => []);  // by lane: its flits, front first
    this.entered = new Int32Array(num_lanes);  // by lane: how many flits of the worm in `last` have entered
    this.last = new Int32Array(num_lanes).fill(NOTHING);  // by lane: the worm that entered last
    this.paths = new Map();  // by worm: its buffers, source first
    this.injected = new Map();  // by worm: how many flits
    this.queues = data.queues.map(() => []);
    this.waits = new Map();  // by blocked buffer: what its front flit waits for
  }

  copy() {
    const copy = Object.create(State.prototype);
    copy.cycle = this.cycle;
    copy.flits = this.flits.map(flits => flits.slice());
    copy.entered = this.entered.slice();
    copy.last = this.last.slice();
    copy.paths = new Map([...this.paths].map(([worm, path]) => [worm, path.slice()]));
    copy.injected = new Map(this.injected);
    copy.queues = this.queues.map(queue => queue.slice());
    copy.waits = new Map(this.waits);
    return copy;
  }

  // On wide links the source of a terminal has senders: the worms behind the first one of its queue get them in order.
  fill_senders() {
    for (let source = num_terminals; data.wide && source < this.queues.length; source++) {
      const queue = this.queues[source % num_terminals];
      if (this.queues[source].length > 0 || queue.length < 2) continue;
      const [id] = queue.splice(1, 1);
      this.queues[source].push(id);
      this.paths.get(id)[0] = num_lanes + source;
    }
  }

  create(worm) {
    this.queues[source_of(worm) - num_lanes].push(worm.id);
    this.paths.set(worm.id, [source_of(worm)]);
    this.injected.set(worm.id, 0);
  }

  owner(buffer) {
    const worm = worms.get(this.last[buffer]);
    return worm && this.entered[buffer] < worm.length ? worm.id : NOTHING;
  }

  front_worm(buffer) {
    const worm = is_source(buffer) ? this.queues[buffer - num_lanes][0] : this.flits[buffer][0]?.worm;
    return worm ?? NOTHING;
  }

  leave(buffer, id) {
    if (!is_source(buffer)) {
      this.flits[buffer].shift();
      return;
    }
    const injected = this.injected.get(id) + 1;
    this.injected.set(id, injected);
    if (injected === worms.get(id).length) this.queues[buffer - num_lanes].shift();
  }

  enter(buffer, head) {
    const id = head === NOTHING ? this.last[buffer] : head;
    const path = this.paths.get(id);
    if (head !== NOTHING) {
      path.push(buffer);
      this.last[buffer] = id;
      this.entered[buffer] = 0;
    }
    // A head may come back to the buffer that its tail is about to leave.
    const from = head === NOTHING ? path[path.indexOf(buffer) - 1] : path.at(-2);
    this.leave(from, id);
    this.flits[buffer].push({ worm: id, head: head !== NOTHING });
    if (++this.entered[buffer] === worms.get(id).length) path.splice(0, path.indexOf(buffer));
  }

  // Terminals take the flits at the ends of their ejection links, but for those that they refuse.
  eject() {
    for (const buffer of data.ejection.keys()) {
      const flit = this.waits.has(buffer) ? undefined : this.flits[buffer].shift();
      if (flit && !this.has_flit(buffer, flit.worm) && this.owner(buffer) !== flit.worm) this.paths.delete(flit.worm);
    }
  }

  has_flit(buffer, id) { return this.flits[buffer].some(flit => flit.worm === id); }

  begin_cycle(reader) {
    for (const worm of created_in.get(this.cycle) ?? []) this.create(worm);
    this.fill_senders();
    read_waits(reader, this.cycle, (buffer, wait) => wait ? this.waits.set(buffer, wait) : this.waits.delete(buffer));
  }

  // Goes on to the next cycle.
  step() {
    const reader = new Reader(offsets[this.cycle - data.from]);
    this.eject();
    read_flits(reader, (buffer, head) => this.enter(buffer, head));
    this.cycle++;
    const next = new Reader(offsets[this.cycle - data.from]);
    read_flits(next, () => {});
    this.begin_cycle(next);
  }
}

let fault_cycle = NOTHING;  // with a fault a run ends
let shown = null, selected = NOTHING;  // the state of the cycle shown; a worm's id

const created_in = new Map();
const keyframes = [];

function first_state() {
  const state = new State();
  for (const [id, injected, path] of data.alive) {
    state.paths.set(id, path);
    state.injected.set(id, injected);
  }
  for (const [buffer, last, entered, flits] of data.contents) {
    state.last[buffer] = last;
    state.entered[buffer] = entered;
    state.flits[buffer] = flits.map(([worm, head]) => ({ worm, head: head === 1 }));
    for (const { worm } of state.flits[buffer])
      if (!state.paths.has(worm)) state.paths.set(worm, [buffer]);  // it is delivered, and the terminal refuses the rest
  }
  data.queues.forEach((queue, source) => {
    state.queues[source] = queue;
    for (const id of queue.filter(worm => !state.paths.has(worm))) {
      state.paths.set(id, [num_lanes + source]);
      state.injected.set(id, 0);
    }
  });
  const reader = new Reader(offsets[0]);
  read_flits(reader, () => {});
  state.begin_cycle(reader);
  return state;
}

function prepare() {
  const reader = new Reader(0);
  for (let cycle = data.from; cycle <= data.to; cycle++) {
    offsets.push(reader.at);
    read_flits(reader, () => {});
    read_waits(reader, cycle, () => {});
  }
  for (const worm of data.worms)
    if (worm.created >= data.from) created_in.set(worm.created, [...created_in.get(worm.created) ?? [], worm]);
  const state = first_state();
  keyframes.push(state.copy());
  while (state.cycle < data.to) {
    state.step();
    if ((state.cycle - data.from) % KEYFRAME_CYCLES === 0) keyframes.push(state.copy());
  }
  if (lost_chain(state).fault) fault_cycle = state.cycle;
}

function state_at(cycle) {
  const near = shown && shown.cycle <= cycle && cycle - shown.cycle < KEYFRAME_CYCLES;
  const state = near ? shown : keyframes[Math.floor((cycle - data.from) / KEYFRAME_CYCLES)].copy();
  while (state.cycle < cycle) state.step();
  return state;
}

// --- words ---

const lane_name = buffer => `lane ${buffer % data.vcs} of ${data.links[Math.floor(buffer / data.vcs)]}`;
const source_word = data.wide && data.vcs > 1 ? ' sender ' : data.classes > 1 ? ' class ' : '';
const terminal_name = source => `T${source % num_terminals}${source_word && source_word + Math.floor(source / num_terminals)}`;
const buffer_name = buffer => is_source(buffer) ? `source of ${terminal_name(buffer - num_lanes)}` : lane_name(buffer);
const flits_word = count => count === 1 ? '1 flit' : `${count} flits`;
const words = name => name === 'moving' ? 'moves' : name.replace('_', ' ');

function worm_words(id) {
  const worm = worms.get(id);
  return `worm ${id}, T${worm.source} → T${worm.destination}, ${flits_word(worm.length)}${worm.message}`;
}

// Returns the buffer of the worm's first flit that is still under way; NOTHING if there is none.
function leading_buffer(state, id) {
  const path = state.paths.get(id) ?? [];
  for (let i = path.length - 1; i > 0; i--)
    if (!is_ejection(path[i]) && state.flits[path[i]].some(flit => flit.worm === id)) return path[i];
  const first = path[0];
  if (first === undefined || is_ejection(first)) return NOTHING;
  return is_source(first) || state.flits[first].some(flit => flit.worm === id) ? first : NOTHING;
}

// Returns whether the worm's tail crossed the ejection link in an earlier cycle.
const is_delivered = (state, id) => (worms.get(id).delivered ?? Infinity) < state.cycle;

// Returns whether flits of a worm that was delivered stand in a lane of a terminal that refuses.
const is_left = (state, id) => data.refuses && is_delivered(state, id) && state.paths.has(id);

// Returns whether the worm is in a source queue behind another one.
function is_queued(state, id) {
  const path = state.paths.get(id);
  return path.length === 1 && is_source(path[0]) && state.front_worm(path[0]) !== id;
}

// Returns how many worms are in the source queue of a terminal, also those that are only counted.
function queue_length(state, terminal) {
  let length = 0;
  for (let source = terminal; source < data.queues.length; source += num_terminals) {
    const [before, ...created] = data.hidden[source], later = created.findIndex(cycle => cycle > state.cycle);
    length += state.queues[source].length + before + (later < 0 ? created.length : later);
  }
  return length;
}

// Returns what the front flit of a lane does that its terminal refuses.
function refused_words(state, buffer, next) {
  const terminal = `T${data.ejection.get(buffer)}`;
  if (next !== NOTHING && !is_source(next)) return `waits: ${terminal} refuses ${buffer_name(next)}`;
  return `refused by ${terminal} until a reply leaves${next === NOTHING ? '' : `, behind worm ${state.front_worm(next)}`}`;
}

// Returns what a worm does whose leading flit is in a buffer, in the words of draw_state_words() in scene.c.
function buffer_words(state, id, buffer) {
  const front = state.front_worm(buffer), wait = state.waits.get(buffer), where = buffer_name(buffer);
  if (front !== id) return `${where}: behind worm ${front}`;
  if (!wait) return `${where}: moves`;
  if (wait.cause === LOST) return `${where}: is lost`;
  if (wait.cause === REFUSED) return `${where}: ${refused_words(state, buffer, wait.next)}`;
  const next = wait.next === NOTHING ? NOTHING : state.front_worm(wait.next);
  const [wants, ...others] = wait.wants.map(link => data.links[link]);
  const whom = next === NOTHING ? '' : next === front ? ', behind its own flits'
    : `, waits for worm ${next} in ${buffer_name(wait.next)}`;
  const either = [wants, ...others.map(name => name.split('.').pop())].join(' or ');
  return `${where}: ${words(WAITS[wait.cause])} on ${either}${whom} (since cycle ${wait.since})`;
}

function state_words(state, id) {
  const buffer = leading_buffer(state, id), worm = worms.get(id);
  if (worm.created > state.cycle) return `is created in cycle ${worm.created}`;
  if (is_left(state, id)) return buffer_words(state, id, state.paths.get(id)[0]);
  if (buffer === NOTHING && worm.delivered < 0) return `was delivered before cycle ${data.from}`;
  if (buffer === NOTHING) return is_delivered(state, id) ? `was delivered in cycle ${worm.delivered}` : 'arrives';
  return buffer_words(state, id, buffer);
}

// --- the delay chain, as in chain.c ---

function add_link(links, worm, buffer, next) {
  if (links.at(-1)?.worm === worm) links.pop();
  links.push({ worm, buffer, next });
}

function chain_of(state, id) {
  const links = [], visited = new Set();
  let buffer = leading_buffer(state, id);
  if (buffer === NOTHING) return { links, back_to: NOTHING };
  if (state.front_worm(buffer) !== id) add_link(links, id, buffer, buffer);
  while (buffer !== NOTHING && !visited.has(buffer)) {
    const worm = state.front_worm(buffer), next = state.waits.get(buffer)?.next ?? NOTHING;
    if (worm === NOTHING) break;
    add_link(links, worm, buffer, next);
    visited.add(buffer);
    buffer = next;
  }
  const again = buffer === NOTHING ? NOTHING : state.front_worm(buffer);
  const back_to = visited.has(buffer) ? links.findIndex(link => link.worm === again) : NOTHING;
  return { links, back_to, deadlock: back_to !== NOTHING && in_deadlock(state, links.slice(back_to)) };
}

const deadlocked = state => data.deadlock !== null && data.deadlock.cycle <= state.cycle;
const in_deadlock = (state, links) => deadlocked(state) && data.deadlock.circle.every(id => links.some(link => link.worm === id));

// Returns the lane of a terminal that its sink shows and refuses to a class of messages; NOTHING: none.
function refused_lane(state, terminal, class_) {
  const lanes = [...data.ejection].filter(([lane, of]) => of === terminal &&
    Math.floor(lane % data.vcs / (data.vcs / data.classes)) === class_).map(([lane]) => lane);
  return lanes.find(lane => state.waits.get(lane)?.cause === REFUSED && is_source(state.waits.get(lane).next)) ?? NOTHING;
}

function circle_chain(state) {
  const circle = data.deadlock.circle, links = [];
  circle.forEach((worm, i) => {
    const buffer = leading_buffer(state, worm), holder = circle[(i + 1) % circle.length];
    const terminal = data.deadlock.terminals[i];
    const lane = terminal < 0 ? NOTHING : refused_lane(state, terminal, worms.get(worm).class_);
    if (lane !== NOTHING) {
      add_link(links, worm, buffer, lane);
      add_link(links, state.front_worm(lane), lane, state.waits.get(lane).next);
      return;
    }
    const next = state.waits.get(buffer)?.next ?? NOTHING;
    const met = next !== NOTHING && (is_source(next) ? state.front_worm(next) === holder : state.has_flit(next, holder));
    add_link(links, worm, buffer, met ? next : leading_buffer(state, holder));
  });
  return { links, back_to: 0, deadlock: true };
}

// Returns, without buffers, the flits that are lost in the cycle.
function lost_chain(state) {
  const lost = [...state.waits].filter(([, wait]) => wait.cause === LOST).map(([buffer]) => buffer).sort((a, b) => a - b);
  const links = lost.map(buffer => ({ worm: state.front_worm(buffer), buffer, next: NOTHING }));
  return { links, back_to: NOTHING, deadlock: false, fault: links.length > 0 };
}

function chain_now(state) {
  if (selected !== NOTHING) return chain_of(state, selected);
  return deadlocked(state) ? circle_chain(state) : lost_chain(state);
}

// --- colours: by the place in the chain that is shown, else by number ---

let coloured = { links: [], back_to: NOTHING };

// Returns the colour of a worm, as draw_colour() in scene.c.
function colour(id) {
  const number = data.colours.length, place = coloured.links.findIndex(link => link.worm === id);
  if (place < 0) return data.colours[id % number];
  const meets_first = coloured.back_to === 0 && place > 0 && place % number === 0;
  return data.colours[(place + (meets_first ? Math.floor(number / 2) : 0)) % number];
}
