// SPDX-License-Identifier: Apache-2.0
//
// The page of a batch step by step. film is what page.c wrote before this: n nodes along a side; c and length of the
// blocks; steps, of each flit two numbers: 4 * node + direction, and 4 * worm + 2 * index + 1 if it stands; worms with
// source, destination and what became of each; phases with their first step.

const colours = ['#0072b2', '#d98200', '#009e73', '#8e44ad'], ways = [[1, 0], [-1, 0], [0, -1], [0, 1]];
const element = id => document.getElementById(id);
const canvas = element('torus'), pen = canvas.getContext('2d'), at = element('at');
const n = film.n, unit = canvas.width / n;
const place = node => `(${node % n},${node / n | 0})`;
let followed = film.followed, timer = null;

// --- the picture; all sizes are points of the canvas ---

function line(x, y, u, v, colour, width) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(u, v);
  pen.stroke();
}

function centre(node) { return [(node % n + .5) * unit, canvas.height - ((node / n | 0) + .5) * unit]; }

// Returns where the flit in a register is drawn, and its direction: a little beside the middle of its node.
function spot(register) {
  const [x, y] = centre(register >> 2), [dx, dy] = ways[register & 3];
  return [x - .17 * unit * dy, y + .17 * unit * dx, dx, dy];
}

function draw_ground() {
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = '#f1f4f8';
  for (let x = 0; x < n; x += 2 * film.c) pen.fillRect(x * unit, 0, film.c * unit, canvas.height);
  for (let y = film.c * film.length; y < n; y += film.c * film.length)
    line(0, canvas.height - y * unit, canvas.width, canvas.height - y * unit, '#aeb8c4', 2);
  pen.fillStyle = '#c9d1da';
  for (let node = 0; node < n * n; node++) {
    const [x, y] = centre(node);
    pen.fillRect(x - 2, y - 2, 4, 4);
  }
}

function draw_head(x, y, dx, dy, colour, stands) {
  pen.fillStyle = colour;
  if (stands) {
    pen.fillRect(x - 15, y - 15, 30, 30);
    return;
  }
  pen.beginPath();
  pen.moveTo(x + 18 * dx, y + 18 * dy);
  pen.lineTo(x - 18 * dx - 18 * dy, y - 18 * dy + 18 * dx);
  pen.lineTo(x - 18 * dx + 18 * dy, y - 18 * dy - 18 * dx);
  pen.fill();
}

function draw_flit(register, index, stands) {
  const [x, y, dx, dy] = spot(register), colour = colours[register & 3];
  line(x - unit * dx, y - unit * dy, x, y, colour, stands ? 20 : 11);
  if (!index) draw_head(x, y, dx, dy, colour, stands);
}

function draw_followed(flits) {
  for (let i = 0; i < flits.length; i += 2) {
    if (flits[i + 1] >> 2 !== followed) continue;
    const [x, y, dx, dy] = spot(flits[i]);
    line(x - unit * dx, y - unit * dy, x, y, 'rgba(255,59,48,.45)', 46);
  }
}

function draw_destination(worm) {
  const [x, y] = centre(worm[1]);
  pen.strokeStyle = '#ff3b30';
  pen.lineWidth = 8;
  pen.beginPath();
  pen.arc(x, y, 28, 0, 7);
  pen.stroke();
}

// --- the page ---

function phase(step) {
  const [begin, name] = film.phases.findLast(([first]) => first <= step), since = step - begin;
  return name === 'phase 2' ? `phase 2, round ${(since / film.round | 0) + 1}, step ${since % film.round}`
                            : `${name}, step ${since}`;
}

function show() {
  const step = Number(at.value), flits = film.steps[step], worm = film.worms[followed];
  draw_ground();
  draw_followed(flits);
  for (let i = 0; i < flits.length; i += 2) draw_flit(flits[i], flits[i + 1] >> 1 & 1, flits[i + 1] & 1);
  draw_destination(worm);
  element('step').textContent = `step ${step} of ${film.steps.length}`;
  element('phase').textContent = phase(step);
  element('worm').textContent = `Worm ${followed} goes from ${place(worm[0])} to ${place(worm[1])}: ${worm[2]}.`;
}

const is_last = () => at.value === at.max;

function stop() {
  clearInterval(timer);
  timer = null;
  element('play').textContent = 'play';
}

function play_or_stop() {
  if (timer) {
    stop();
    return;
  }
  if (is_last()) at.value = 0;
  element('play').textContent = 'stop';
  timer = setInterval(() => {
    at.value = Number(at.value) + 1;
    show();
    if (is_last()) stop();
  }, 120);
}

// Follows the worm whose flit is drawn nearest to a click.
function follow(event) {
  const box = canvas.getBoundingClientRect(), scale = canvas.width / box.width;
  const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
  const flits = film.steps[Number(at.value)];
  let best = unit * unit;
  for (let i = 0; i < flits.length; i += 2) {
    const [u, v, dx, dy] = spot(flits[i]), apart = (u - unit * dx / 2 - x) ** 2 + (v - unit * dy / 2 - y) ** 2;
    if (apart >= best) continue;
    best = apart;
    followed = flits[i + 1] >> 2;
  }
  show();
}

at.max = film.steps.length - 1;
at.value = Number(location.hash.slice(1)) || 0;
at.oninput = show;
element('play').onclick = play_or_stop;
canvas.onclick = follow;
show();
