// SPDX-License-Identifier: Apache-2.0
//
// Draws worms, signs and arrows as SVG. It puts them together from the pieces that shapes.c wrote
// into the page, as scene.c does for a still picture, and computes no position.

data.ways = data.ways.map(([flit, head, back, ahead, sign_size, tag_digit, tag_back]) =>
  ({ flit, head, back, ahead, sign_size, tag_digit, tag_back }));
data.buffers = data.buffers.map(([way, slots, front, sign, bend, tag, leave, enter, wire]) =>
  ({ way: data.ways[way], slots, front, sign, bend, tag, leave, enter, wire }));

// Returns the path of a piece in each slot of a lane whose flit is wanted.
function slots_path(state, lane, piece, wanted) {
  const { front, way } = data.buffers[lane];
  return `M${front}${state.flits[lane].map(flit => (wanted(flit) ? way[piece] : '') + way.back).join('')}`;
}

// Returns the path of wire and free slots of a lane, from `before`, the buffer before it.
function held_path(state, lane, before) {
  const { way, slots, enter, wire } = data.buffers[lane];
  const begin = before === undefined || is_source(before) ? 'M' : data.buffers[before].leave + enter;
  return begin + wire + way.ahead.repeat(slots - state.flits[lane].length);
}

function sign_at(buffer, cause) {
  const { sign, way } = data.buffers[buffer];
  return `<use href="#${WAITS[cause]}" transform="translate(${sign})${way.sign_size}"/>`;
}

function sign(state, id) {
  const buffer = leading_buffer(state, id);
  const cause = buffer !== NOTHING && state.front_worm(buffer) === id ? state.waits.get(buffer)?.cause : undefined;
  return cause === undefined || cause === LOST ? '' : sign_at(buffer, cause);
}

function worm_group(state, id, path, dim) {
  let held = '', flits = '', heads = '';
  path.forEach((lane, i) => {
    if (is_source(lane)) return;
    if (state.owner(lane) === id) held += held_path(state, lane, path[i - 1]);
    flits += slots_path(state, lane, 'flit', flit => flit.worm === id);
    heads += slots_path(state, lane, 'head', flit => flit.worm === id && flit.head);
  });
  return `<g class="worm${dim ? ' dim' : ''}" data-worm="${id}" color="${colour(id)}"><path class="held" d="${held}"/>` +
    `<path class="flits" d="${flits}"/><path class="head" d="${heads}"/>${sign(state, id)}</g>`;
}

function arrow(link, deadlock) {
  const { sign, bend } = data.buffers[link.buffer];
  return `<path class="wait" marker-end="url(#point${deadlock ? '-dead' : ''})" ` +
    `d="M${sign}Q${bend} ${data.buffers[link.next].front}"/>`;
}

const same_link = (a, b) => !is_source(a) && Math.floor(a / data.vcs) === Math.floor(b / data.vcs);

// Returns the tag of a worm, further back than the tags of the same link before it.
function tag(link, index, links) {
  const { tag, way } = data.buffers[link.buffer], digits = String(link.worm).length;
  const before = links.slice(0, index).filter(other => same_link(other.buffer, link.buffer)).length;
  return `<g class="worm" data-worm="${link.worm}" color="${colour(link.worm)}" ` +
    `transform="translate(${tag})${way.tag_digit.repeat(digits)}${way.tag_back.repeat(before)}">` +
    `<use href="#tag-${digits}"/><text class="tag" y="3.6">${link.worm}</text></g>`;
}

function draw_worms(state, chain) {
  const bright = new Set(chain.links.map(link => link.worm)), below = [], above = [];
  for (const [id, path] of state.paths) {
    if (is_delivered(state, id) ? !is_left(state, id) : is_queued(state, id)) continue;
    const layer = bright.has(id) ? above : below;
    layer.push(worm_group(state, id, path, bright.size > 0 && !bright.has(id)));
  }
  const arrows = chain.links.filter(link => link.next !== NOTHING && link.next !== link.buffer);
  const refused = [...state.waits].filter(([, wait]) => wait.cause === REFUSED).map(([lane]) => sign_at(lane, REFUSED));
  element('worms').innerHTML = below.join('') + above.join('') + refused.join('');
  [...element('queues').children].forEach((text, terminal) => { text.textContent = queue_length(state, terminal) || ''; });
  element('arrows').setAttribute('class', chain.deadlock ? 'chain dead' : 'chain');
  element('arrows').innerHTML = arrows.map(link => arrow(link, chain.deadlock)).join('') +
    (chain.fault ? chain.links.map(link => sign_at(link.buffer, LOST)).join('') : '') + chain.links.map(tag).join('');
}
