// SPDX-License-Identifier: Apache-2.0
//
// The page around the picture: panels, events, keys, zoom.

// --- the side ---

const swatch = id => `<span class="swatch" style="background:${colour(id)}"></span>`;

function draw_chain(state, chain) {
  element('chain-title').textContent = chain.fault ? 'Fault: flits want one link and are lost' : chain.deadlock ? 'Deadlock: they wait for each other for ever'
    : chain.links.length ? 'Who waits for whom'
    : state.waits.size ? 'Select a worm to see whom it waits for' : 'Nobody waits';
  element('chain-title').className = chain.deadlock || chain.fault ? 'alarm' : '';
  const again = chain.back_to === NOTHING ? '' : `<li><small>… which waits for worm ${chain.links[chain.back_to].worm} again</small></li>`;
  element('chain').innerHTML = chain.links.map(link => `<li>${swatch(link.worm)}<b data-worm="${link.worm}">` +
    `${worm_words(link.worm)}</b><small>${buffer_words(state, link.worm, link.buffer)}</small></li>`).join('') + again;
}

const count_cycles = count => count === 1 ? '1 cycle' : `${count} cycles`;

const stall_words = stall => `${count_cycles(stall.end - stall.begin + 1)} from ${stall.begin} on`;

const stall_link = (stall, name) =>
  `<li><a href="#cycle=${Math.min(Math.max(stall.end, data.from), data.to)}&amp;worm=${stall.worm}">` +
  `${swatch(stall.worm)}${name ? `worm ${stall.worm}: ` : ''}${stall_words(stall)}` +
  `${name || stall.blocker === NOTHING ? '' : `, for worm ${stall.blocker}`}</a></li>`;

function row(name, value) { return `<tr><td>${name}</td><td>${value}</td></tr>`; }

function draw_life(state) {
  if (selected === NOTHING) {
    element('life').innerHTML = '<small>Point at a worm to see its name, click it to see its life.</small>';
    return;
  }
  const worm = worms.get(selected), stalls = data.stalls.filter(stall => stall.worm === selected);
  const when = (cycle, text) => cycle === null ? 'not yet' : `${text}${cycle}`;
  element('life').innerHTML = `<h2>${swatch(selected)}${worm_words(selected)}</h2><small>${state_words(state, selected)}</small>` +
    '<table>' + row('created', when(worm.created, 'cycle ')) + row('injected', when(worm.injected, 'cycle ')) +
    row('delivered', when(worm.delivered, 'cycle ')) +
    worm.cycles.map((cycles, i) => cycles ? row(words(WAITS[i]), count_cycles(cycles)) : '').join('') + '</table>' +
    (worm.delays.length ? '<h2>Delayed by</h2><table>' + worm.delays.map(([by, cycles]) =>
      row(by === selected ? 'its own flits' : `<b data-worm="${by}">worm ${by}</b>`, count_cycles(cycles))).join('') + '</table>' : '') +
    (stalls.length ? '<h2>Stalls</h2><ol id="own-stalls">' + stalls.map(stall => stall_link(stall, false)).join('') + '</ol>' : '');
}

// --- events: a stall begins or ends, the deadlock closes, a fault ends the run ---

const by_length = [...data.stalls].sort((a, b) => (b.end - b.begin) - (a.end - a.begin) || a.begin - b.begin || a.worm - b.worm);
const notable = by_length.slice(0, 200);

function deadlock_words() {
  const count = data.deadlock.circle.length, terminals = data.deadlock.terminals.filter(terminal => terminal >= 0);
  return `deadlock of ${count} worm${count === 1 ? '' : 's'}${terminals.map(terminal => `, T${terminal}`).join('')}`;
}

function events() {
  const stalls = selected === NOTHING ? notable : data.stalls.filter(stall => stall.worm === selected);
  const found = stalls.flatMap(stall => [
    { cycle: stall.begin, words: `worm ${stall.worm} begins to wait, for ${count_cycles(stall.end - stall.begin + 1)}` },
    { cycle: stall.end + 1, words: `worm ${stall.worm} has waited ${count_cycles(stall.end - stall.begin + 1)}` }]);
  if (data.deadlock) found.push({ cycle: data.deadlock.cycle, words: deadlock_words() });
  if (fault_cycle !== NOTHING) found.push({ cycle: fault_cycle, words: 'a fault ends the run' });
  return found.filter(event => event.cycle >= data.from && event.cycle <= data.to).sort((a, b) => a.cycle - b.cycle);
}

function go_to_event(direction) {
  const later = events().filter(event => direction > 0 ? event.cycle > shown.cycle : event.cycle < shown.cycle);
  const event = direction > 0 ? later[0] : later.at(-1);
  if (!event) {
    say(`no blocking event ${direction > 0 ? 'after' : 'before'} this cycle`);
    return;
  }
  show(event.cycle);
  const all = later.filter(other => other.cycle === event.cycle);
  say(`cycle ${event.cycle}: ${all.slice(0, 3).map(other => other.words).join('; ')}${all.length > 3 ? '; …' : ''}`);
}

// --- the page ---

let player = null;

const say = text => { element('said').textContent = text; };

function refresh() {
  const chain = chain_now(shown);
  coloured = chain;
  draw_worms(shown, chain);
  draw_chain(shown, chain);
  draw_life(shown);
  element('stalls').innerHTML = by_length.slice(0, 20).map(stall => stall_link(stall, true)).join('') || '<li>Nobody waits.</li>';
}

function show(cycle) {
  cycle = Math.max(data.from, Math.min(data.to, cycle));
  shown = state_at(cycle);
  element('cycle').value = cycle;
  element('now').textContent = `cycle ${cycle}`;
  element('deadlock').textContent = deadlocked(shown) ? `deadlocked since cycle ${data.deadlock.cycle}` : '';
  element('tip').hidden = true;
  say('');
  refresh();
  remember();
}

// The address is changed when the slider rests: browsers refuse to change it too often.
let remembering = 0;
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    const worm = selected === NOTHING ? '' : `&worm=${selected}`;
    history.replaceState(null, '', `#cycle=${shown.cycle}${worm}`);
  }, 150);
}

function select(id) {
  if (id !== NOTHING && !worms.has(id)) {
    say(`worm ${id} was delivered before cycle ${data.from}`);
    return;
  }
  selected = id;
  refresh();
  remember();
}

// Returns what a still picture would show: the deadlock as it closes, a fault, else the end of the
// longest stall.
function start_of_analysis() {
  const longest = by_length[0];
  if (fault_cycle !== NOTHING) return { cycle: fault_cycle, worm: NOTHING };
  if (data.deadlock && data.deadlock.cycle >= data.from) return { cycle: data.deadlock.cycle, worm: NOTHING };
  return longest ? { cycle: longest.end, worm: longest.worm } : { cycle: data.from, worm: NOTHING };
}

// Returns the number in text, which may be null; NaN if there is none.
const number_of = text => /^\s*\d+\s*$/.test(text) ? Number(text) : NaN;

function go_to_fragment(address) {
  const fragment = new URLSearchParams(new URL(address).hash.slice(1));
  const start = start_of_analysis();
  const worm = number_of(fragment.get('worm')), cycle = number_of(fragment.get('cycle'));
  const given = Number.isInteger(cycle);
  selected = worms.has(worm) ? worm : given ? NOTHING : start.worm;
  show(given ? cycle : start.cycle);
}

function search(text) {
  const id = number_of(text), worm = worms.get(id);
  if (!worm) {
    say(text.trim() ? `no worm ${text.trim()} in cycles ${data.from} to ${data.to}, or it is queued behind others in all of them` : '');
    return;
  }
  selected = id;
  const end = worm.delivered ?? data.to;
  show(shown.cycle >= worm.created && shown.cycle <= end ? shown.cycle : worm.injected ?? worm.created);
}

function stop() {
  clearInterval(player);
  player = null;
  element('play').textContent = '▶';
}

function play_or_pause() {
  if (player !== null) {
    stop();
    return;
  }
  element('play').textContent = '❚❚';
  if (shown.cycle === data.to) show(data.from);
  player = setInterval(() => shown.cycle < data.to ? show(shown.cycle + 1) : stop(), 150);
}

function show_tip(event) {
  const target = event.target.closest?.('[data-worm]'), tip = element('tip');
  tip.hidden = !target;
  if (!target) return;
  const id = Number(target.dataset.worm);
  tip.textContent = `${worm_words(id)}\n${state_words(shown, id)}`;
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
}

const keys = {
  ArrowLeft: event => show(shown.cycle - (event.shiftKey ? 10 : 1)),
  ArrowRight: event => show(shown.cycle + (event.shiftKey ? 10 : 1)),
  Home: () => show(data.from),
  End: () => show(data.to),
  ' ': play_or_pause,
  n: () => go_to_event(1),
  p: () => go_to_event(-1),
  0: () => fit(),
  Escape: () => select(NOTHING),
  '/': () => element('search').focus(),
};

// --- zoom: the view box of the picture ---

const picture = element('picture'), layers = picture.querySelectorAll('svg');
let view = null, dragged = false;

function look() {
  for (const layer of layers) layer.setAttribute('viewBox', `${view.x} ${view.y} ${view.width} ${view.height}`);
}

function fit() {
  view = { x: 0, y: 0, width: data.width, height: data.height };
  look();
}

// Returns how many points of the picture a pixel has, and the point under the mouse.
function pointer(event) {
  const matrix = layers[0].getScreenCTM();
  return { scale: 1 / matrix.a, x: (event.clientX - matrix.e) / matrix.a, y: (event.clientY - matrix.f) / matrix.d };
}

function zoom(event) {
  event.preventDefault();
  const at = pointer(event), factor = Math.exp(Math.sign(event.deltaY) * 0.15);
  const width = Math.min(data.width * 1.5, Math.max(60, view.width * factor)), by = width / view.width;
  view = { x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by, width, height: view.height * by };
  look();
}

function drag(event) {
  if (event.buttons !== 1) return;
  const { scale } = pointer(event);
  dragged = dragged || Math.abs(event.movementX) + Math.abs(event.movementY) > 2;
  view.x -= event.movementX * scale;
  view.y -= event.movementY * scale;
  look();
}

function listen() {
  element('cycle').addEventListener('input', event => show(Number(event.target.value)));
  element('play').addEventListener('click', play_or_pause);
  element('back').addEventListener('click', () => show(shown.cycle - 1));
  element('forward').addEventListener('click', () => show(shown.cycle + 1));
  element('event-back').addEventListener('click', () => go_to_event(-1));
  element('event-forward').addEventListener('click', () => go_to_event(1));
  element('search').addEventListener('change', event => search(event.target.value));
  element('fit').addEventListener('click', fit);
  picture.addEventListener('wheel', zoom, { passive: false });
  picture.addEventListener('mousedown', () => { dragged = false; });
  picture.addEventListener('mousemove', drag);
  picture.addEventListener('mousemove', show_tip);
  picture.addEventListener('mouseleave', () => { element('tip').hidden = true; });
  document.querySelector('main').addEventListener('click', event => {
    const target = event.target.closest('[data-worm]');
    if (target && !dragged) select(Number(target.dataset.worm));
    else if (!dragged && event.target.closest('#picture')) select(NOTHING);
  });
  // The address in the event is the one that was asked for; remember() may have changed the page's own since.
  addEventListener('hashchange', event => go_to_fragment(event.newURL));
  addEventListener('keydown', event => {
    const typing = event.target.id === 'search' || event.ctrlKey || event.metaKey || event.altKey;
    if (typing || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key](event);
  });
}

element('network-words').textContent = `${data.network}; cycles ${data.from} to ${data.to}`;
element('cycle').min = data.from;
element('cycle').max = data.to;
prepare();
fit();
listen();
go_to_fragment(location.href);
