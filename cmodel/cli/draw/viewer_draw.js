// SPDX-License-Identifier: Apache-2.0
//
// Draws worms, signs and arrows as SVG, in the same shapes as scene.c. data.lanes has what put_lane()
// of page.c writes.

const round = number => number.toFixed(1);

function slot_path(buffer, slot) {
  const [x, y, dx, dy] = data.lanes[buffer];
  const half = data.lane_pitch / 2 - 1, cx = x + slot * dx, cy = y + slot * dy;
  const ax = dx * 0.43, ay = dy * 0.43, sx = -dy / data.slot_length * half, sy = dx / data.slot_length * half;
  return `M${round(cx - ax - sx)} ${round(cy - ay - sy)}L${round(cx + ax - sx)} ${round(cy + ay - sy)}` +
    `L${round(cx + ax + sx)} ${round(cy + ay + sy)}L${round(cx - ax + sx)} ${round(cy - ay + sy)}Z`;
}

// Returns the path from the wire over the free slots of a buffer, of which `full` slots are not.
function free_path(buffer, full) {
  const [x, y, dx, dy] = data.lanes[buffer];
  return `L${round(x + (full - 0.5) * dx)} ${round(y + (full - 0.5) * dy)}`;
}

function head_path(buffer, slot) {
  const [x, y, stepx, stepy] = data.lanes[buffer];
  const size = Math.min(data.lane_pitch, data.slot_length) / 2 - 1;
  const cx = x + slot * stepx, cy = y + slot * stepy;
  const dx = -stepx / data.slot_length * size, dy = -stepy / data.slot_length * size;
  return `M${round(cx + dx)} ${round(cy + dy)}L${round(cx - dx - dy)} ${round(cy - dy + dx)}` +
    `L${round(cx - dx + dy)} ${round(cy - dy - dx)}Z`;
}

function crossing_path(from, to) {
  const [fx, fy, dx, dy, ex, ey] = data.lanes[from];
  const [, , , , , , bx, by, nx, ny] = data.lanes[to];
  const stretch = Math.hypot(bx - ex, by - ey) * 0.45, leg = Math.hypot(nx - bx, ny - by);
  const ix = -dx / data.slot_length * stretch, iy = -dy / data.slot_length * stretch;
  const ox = (nx - bx) / leg * stretch, oy = (ny - by) / leg * stretch;
  return `M${round(fx - dx / 2)} ${round(fy - dy / 2)}L${round(ex)} ${round(ey)}` +
    `C${round(ex + ix)} ${round(ey + iy)} ${round(bx - ox)} ${round(by - oy)} ${round(bx)} ${round(by)}`;
}

function sign_point(buffer) {
  if (is_source(buffer)) return data.gates[buffer - num_lanes];
  const [, , dx, dy, ex, ey] = data.lanes[buffer];
  return [ex - dx / data.slot_length * 3, ey - dy / data.slot_length * 3];
}

const front_point = buffer => is_source(buffer) ? data.gates[buffer - num_lanes] : data.lanes[buffer].slice(0, 2);

function sign(state, id) {
  const buffer = leading_buffer(state, id);
  const cause = buffer !== NOTHING && state.front_worm(buffer) === id ? state.waits.get(buffer)?.cause : undefined;
  if (cause === undefined) return '';
  const [x, y] = sign_point(buffer), scale = Math.max(0.7, Math.min(1.1, data.lane_pitch / 9));
  return `<use href="#${WAITS[cause]}" transform="translate(${round(x)} ${round(y)}) scale(${scale.toFixed(2)})"/>`;
}

function worm_group(state, id, path, dim) {
  let held = '', filled = '', heads = '';
  path.forEach((buffer, i) => {
    if (is_source(buffer)) return;
    if (state.owner(buffer) === id) {
      held += data.lanes[buffer][10] + free_path(buffer, state.flits[buffer].length);
      if (i > 0 && !is_source(path[i - 1])) held += crossing_path(path[i - 1], buffer);
    }
    state.flits[buffer].forEach((flit, slot) => {
      if (flit.worm !== id) return;
      filled += slot_path(buffer, slot);
      if (flit.head) heads += head_path(buffer, slot);
    });
  });
  return `<g class="worm${dim ? ' dim' : ''}" data-worm="${id}">` +
    `<path class="held" stroke="${colour(id)}" stroke-width="${data.held_width}" d="${held}"/>` +
    `<path class="flits" fill="${colour(id)}" d="${filled}"/><path class="head" d="${heads}"/>${sign(state, id)}</g>`;
}

function arrow(link, deadlock) {
  const [ax, ay] = sign_point(link.buffer), [bx, by] = front_point(link.next);
  const length = Math.hypot(bx - ax, by - ay), bow = Math.min(40, length * 0.2);
  if (length < 1) return '';
  const mx = (ax + bx) / 2 - (by - ay) / length * bow, my = (ay + by) / 2 + (bx - ax) / length * bow;
  return `<path class="wait" marker-end="url(#point${deadlock ? '-dead' : ''})" ` +
    `d="M${round(ax)} ${round(ay)}Q${round(mx)} ${round(my)} ${round(bx)} ${round(by)}"/>`;
}

// Returns the point for a worm's tag: beside the front flit of the buffer, on the side away from the
// opposite link, further back if `before` other tags are there; of a source queue above its terminal.
function tag_point(buffer, width, before) {
  if (is_source(buffer)) {
    const [x, y] = data.terminals[buffer - num_lanes];
    return [x, y - data.terminal_height / 2 - 9];
  }
  const [x, y, dx, dy] = data.lanes[buffer];
  const band = (data.vcs - buffer % data.vcs - 0.5) * data.lane_pitch;
  const ux = dx / data.slot_length, uy = dy / data.slot_length;
  return [x + ux * before * (width + 4) + uy * (band + 3 + width / 2), y + uy * before * 17 - ux * (band + 10)];
}

function tag(link, index, links) {
  const width = 8 + 7 * String(link.worm).length, channel = buffer => Math.floor(buffer / data.vcs);
  const before = links.slice(0, index).filter(other => channel(other.buffer) === channel(link.buffer)).length;
  const [x, y] = tag_point(link.buffer, width, before);
  return `<g class="worm" data-worm="${link.worm}"><rect class="tag-box" stroke="${colour(link.worm)}" ` +
    `x="${round(x - width / 2)}" y="${round(y - 7)}" width="${width}" height="14" rx="7"/>` +
    `<text class="tag" x="${round(x)}" y="${round(y + 3.6)}">${link.worm}</text></g>`;
}

function draw_worms(state, chain) {
  const bright = new Set(chain.links.map(link => link.worm)), below = [], above = [];
  for (const [id, path] of state.paths) {
    if (is_delivered(state, id) || is_queued(state, id)) continue;
    const layer = bright.has(id) ? above : below;
    layer.push(worm_group(state, id, path, bright.size > 0 && !bright.has(id)));
  }
  const arrows = chain.links.filter(link => link.next !== NOTHING && link.next !== link.buffer);
  element('worms').innerHTML = below.join('') + above.join('') + data.terminals.map(([x, y], terminal) => {
    const queued = queue_length(state, terminal);
    return queued ? `<text class="queue" x="${round(x)}" y="${round(y + 8.5)}">${queued}</text>` : '';
  }).join('') + `<g class="chain${chain.deadlock ? ' dead' : ''}">` +
    arrows.map(link => arrow(link, chain.deadlock)).join('') + chain.links.map(tag).join('') + '</g>';
}
