const done = run.matrices.filter(m => m.results);
const timed = run.options.timed;
const copy = run.machine.copy_gigabytes_per_second * 1e9;
for (const m of done) {
  m.right = m.results.filter(right);
  m.best = m.right.reduce((a, b) => !a || b.seconds < a.seconds ? b : a, null);
}
const names = [...new Set(done.flatMap(m => m.results.map(r => r.schedule)))];
// "auto" is what the others are compared with: always the ink of the page.
const paint = n => n === 'auto' ? 'var(--ink)' : hues[names.filter(x => x !== 'auto').indexOf(n) % hues.length];
const hidden = new Set();
// Two dozen schedules at once show nothing: begin with one of each family.
if (names.length > 12) names.forEach(n => { if (n.includes(':')) hidden.add(n); });
const shown = () => names.filter(n => !hidden.has(n));

// A plot: axes with ticks, and functions from numbers to pixels.
function plot(target, o) {
  const W = o.width || 620, H = o.height || 400, L = 64, R = 30, T = 12, B = 50;
  const root = node('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'font-size': 13 });
  const scale = (a, from, to) => {
    const f = a.log ? Math.log10 : v => v;
    const lo = f(a.min), hi = f(a.max);
    return v => from + (f(Math.min(Math.max(v, a.min), a.max)) - lo) / (hi - lo || 1) * (to - from);
  };
  const x = scale(o.x, L, W - R), y = scale(o.y, H - B, T);
  for (const v of o.x.ticks) {
    root.append(node('line', { class: 'grid', x1: x(v), x2: x(v), y1: T, y2: H - B }));
    root.append(node('text', { class: 'quiet', x: x(v), y: H - B + 20, 'text-anchor': 'middle' }, o.x.show(v)));
  }
  for (const v of o.y.ticks) {
    root.append(node('line', { class: 'grid', x1: L, x2: W - R, y1: y(v), y2: y(v) }));
    root.append(node('text', { class: 'quiet', x: L - 9, y: y(v) + 4.5, 'text-anchor': 'end' }, o.y.show(v)));
  }
  root.append(node('line', { class: 'axis', x1: L, x2: W - R, y1: H - B, y2: H - B }));
  root.append(node('text', { x: (L + W - R) / 2, y: H - 8, 'text-anchor': 'middle' }, o.x.title));
  const place = document.getElementById(target);
  place.replaceChildren(root);
  return { root, x, y, left: L, right: W - R, top: T, bottom: H - B };
}
const decades = (lo, hi, most = 8) => {
  const a = Math.floor(Math.log10(lo)), b = Math.ceil(Math.log10(hi)), out = [];
  const step = Math.max(1, Math.ceil((b - a) / most));
  for (let e = a; e <= b; e += step) out.push(10 ** e);
  return out;
};
const range = values => [Math.min(...values), Math.max(...values)];
// From 1 up: the decades when there are many, else numbers between.
const factors = most => {
  if (most > 60) return decades(1, most);
  return [1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100].filter((v, i, all) => (i === 0 || all[i - 1] < most) && (most < 6 || v !== 1.2) && (most < 15 || v !== 1.5));
};
const factor = v => v >= 1e4 ? power(v) : fixed(v, v < 2 && v > 1 ? 1 : 0) + '×';
const dot = (p, x, y, n, text) => p.root.append(node('circle', {
  cx: p.x(x), cy: p.y(y), r: 3, style: n === 'auto' ? 'fill:none;stroke:var(--ink)' : `fill:${paint(n)}`, 'fill-opacity': 0.6, 'stroke-opacity': 0.55 }, tip(text)));
const label = (m, r) => `${m.name}, ${r.schedule}\n${time(r.seconds)}, ${fixed(r.gigabytes_per_second, 1)} GB/s, imbalance ${fixed(r.imbalance, 2)}`;
const visible = () => done.flatMap(m => m.right.filter(r => !hidden.has(r.schedule) && r.seconds > 0).map(r => [m, r]));

function scatter() {
  const points = visible().filter(([m]) => m.nonzeros > 0);
  if (!points.length) return;
  const [a, b] = range(points.map(([m]) => m.nonzeros)), [c, d] = range(points.map(([, r]) => r.seconds));
  const xs = decades(a, b), ys = decades(c, d);
  const p = plot('scatter', {
    x: { log: true, min: xs[0], max: Math.max(b, xs.at(-1)), ticks: xs, show: power, title: 'nonzeros' },
    y: { log: true, min: ys[0], max: Math.max(d, ys.at(-1)), ticks: ys, show: tick } });
  for (const [m, r] of points) dot(p, m.nonzeros, r.seconds, r.schedule, label(m, r));
  if (copy > 0) {
    const ends = done.filter(m => m.nonzeros > 0).sort((u, v) => u.nonzeros - v.nonzeros);
    const last = ends.at(-1), slope = last.bytes / last.nonzeros / copy;
    const from = Math.max(xs[0], ys[0] / slope);
    p.root.append(node('line', { x1: p.x(from), y1: p.y(from * slope), x2: p.x(last.nonzeros), y2: p.y(last.nonzeros * slope),
      style: 'stroke:var(--quiet)', 'stroke-dasharray': '5 4', 'stroke-width': 1.5 }));
  }
}

function profile() {
  const usable = done.filter(m => m.best && m.best.seconds > 0);
  if (!usable.length) return;
  const most = 8, ticks = [1, 1.5, 2, 3, 4, 6, 8];
  const p = plot('profile', {
    x: { log: true, min: 1, max: most, ticks, show: v => v + '×', title: 'time over the fastest' },
    y: { min: 0, max: 1, ticks: [0, 0.25, 0.5, 0.75, 1], show: percent } });
  for (const n of shown()) {
    const ratios = usable.map(m => m.right.find(r => r.schedule === n)).map((r, i) => r ? r.seconds / usable[i].best.seconds : Infinity).sort((u, v) => u - v);
    let path = `M${p.x(1)},${p.y(0)}`;
    ratios.forEach((v, i) => { if (v <= most) path += `H${p.x(v).toFixed(1)}V${p.y((i + 1) / ratios.length).toFixed(1)}`; });
    p.root.append(node('path', { d: path + `H${p.x(most)}`, fill: 'none', style: `stroke:${paint(n)}`, 'stroke-width': n === 'auto' ? 3.2 : 2.2, 'stroke-linejoin': 'round' }, tip(n)));
  }
}

function bandwidth() {
  const points = visible().filter(([m]) => m.bytes > 0);
  if (!points.length || !(copy > 0)) return;
  const [a, b] = range(points.map(([m]) => m.bytes)), xs = decades(a, b);
  const most = Math.max(...points.map(([, r]) => r.fraction_of_copy));
  const top = most > 1.25 ? Math.min(Math.ceil(most * 2) / 2, 8) : 1.25;
  const step = top > 4 ? 1 : top > 2 ? 0.5 : 0.25, ys = [];
  for (let v = 0; v <= top + 1e-9; v += step) ys.push(v);
  const bytes = v => v >= 1e9 ? v / 1e9 + ' GB' : v >= 1e6 ? v / 1e6 + ' MB' : v >= 1e3 ? v / 1e3 + ' kB' : v + ' B';
  const p = plot('bandwidth', {
    x: { log: true, min: xs[0], max: Math.max(b, xs.at(-1)), ticks: xs, show: bytes, title: 'bytes of a run' },
    y: { min: 0, max: top, ticks: ys, show: percent } });
  p.root.append(node('line', { x1: p.left, x2: p.right, y1: p.y(1), y2: p.y(1), style: 'stroke:var(--quiet)', 'stroke-dasharray': '5 4', 'stroke-width': 1.5 }));
  p.root.append(node('text', { class: 'quiet', x: p.left + 8, y: p.y(1) - 7 }, `copy ${fixed(copy / 1e9, copy > 1e11 ? 0 : 1)} GB/s`));
  for (const [m, r] of points) dot(p, m.bytes, r.fraction_of_copy, r.schedule, label(m, r));
}

function cost() {
  const points = visible().filter(([m]) => m.best && m.best.seconds > 0);
  if (!points.length) return;
  const xs = factors(Math.max(1.5, ...points.map(([, r]) => r.imbalance)));
  const ys = factors(Math.max(1.5, ...points.map(([m, r]) => r.seconds / m.best.seconds)));
  const p = plot('cost', {
    x: { log: true, min: 1, max: xs.at(-1), ticks: xs, show: factor, title: 'imbalance' },
    y: { log: true, min: 1, max: ys.at(-1), ticks: ys, show: factor } });
  for (const [m, r] of points) dot(p, r.imbalance, r.seconds / m.best.seconds, r.schedule, label(m, r));
}

function wins() {
  const usable = done.filter(m => m.best);
  const rows = names.map(n => ({
    n, wins: usable.filter(m => m.best.schedule === n).length,
    mean: Math.exp(usable.reduce((s, m) => { const r = m.right.find(q => q.schedule === n); return s + Math.log(r && m.best.seconds > 0 ? r.seconds / m.best.seconds : 1); }, 0) / (usable.length || 1)) }))
    .sort((a, b) => a.mean - b.mean);
  const most = Math.max(1, ...rows.map(r => r.wins)), W = 1240, pitch = 27;
  const root = node('svg', { viewBox: `0 0 ${W} ${rows.length * pitch + 26}`, 'font-size': 14, role: 'img' });
  root.append(node('text', { class: 'quiet', x: 190, y: 14 }, 'matrices on which it is the fastest'),
    node('text', { class: 'quiet', x: W, y: 14, 'text-anchor': 'end' }, 'time over the fastest, geometric mean'));
  rows.forEach((r, i) => {
    const y = 26 + i * pitch, w = Math.max(2, 760 * r.wins / most);
    root.append(node('text', { x: 176, y: y + 15.5, 'text-anchor': 'end' }, r.n),
      node('rect', { x: 190, y: y + 2, width: w, height: pitch - 8, rx: 3, style: `fill:${paint(r.n)}` }),
      node('text', { x: 190 + w + 9, y: y + 15.5 }, String(r.wins)),
      node('text', { x: W, y: y + 15.5, 'text-anchor': 'end' }, fixed(r.mean, 2) + '×'));
  });
  document.getElementById('wins').replaceChildren(root);
}

// The schedules of one matrix: bars of time, and the load of the blocks.
function detail(m) {
  const rows = [...m.results].sort((a, b) => (a.seconds ?? Infinity) - (b.seconds ?? Infinity));
  const W = 1240, pitch = 36, most = Math.max(...rows.map(r => r.seconds_max || r.seconds || 0), 1e-12);
  const cap = Math.min(most, 12 * (m.best ? m.best.seconds : most)), wide = 500;
  const root = node('svg', { viewBox: `0 0 ${W} ${rows.length * pitch + 24}`, 'font-size': 13.5, role: 'img' });
  root.append(node('text', { class: 'quiet', x: 190, y: 14 }, timed ? 'time' : 'times are not measured here'),
    node('text', { class: 'quiet', x: 912, y: 14 }, 'load of the blocks'), node('text', { class: 'quiet', x: W, y: 14, 'text-anchor': 'end' }, 'imbalance'));
  rows.forEach((r, i) => {
    const y = 24 + i * pitch;
    root.append(node('text', { x: 176, y: y + 21, 'text-anchor': 'end' }, r.schedule));
    if (r.error) { root.append(node('text', { x: 190, y: y + 21, class: 'quiet' }, r.error)); return; }
    const w = Math.max(2, wide * Math.min(r.seconds, cap) / cap), x = v => 190 + wide * Math.min(v, cap) / cap;
    if (timed) {
      root.append(node('rect', { x: 190, y: y + 7, width: w, height: pitch - 15, rx: 3, style: `fill:${paint(r.schedule)}` }));
      root.append(node('line', { x1: x(r.seconds_min), x2: x(r.seconds_max), y1: y + 17.5, y2: y + 17.5, style: 'stroke:var(--ink)', 'stroke-width': 1.4, opacity: 0.55 }));
      const to = Math.max(190 + w, x(r.seconds_max)) + 10;
      root.append(node('text', { x: to, y: y + 21.5 }, `${time(r.seconds)}${copy > 0 ? ', ' + percent(r.fraction_of_copy) + ' of copy' : ''}`));
    }
    if (!right(r)) root.append(node('text', { x: 902, y: y + 21, 'text-anchor': 'end', style: 'fill:var(--wrong);font-weight:650' }, r.correct ? 'not repeatable' : 'WRONG'));
    const shares = r.shares || [], top = Math.max(1.25, ...shares), bw = 240 / Math.max(1, shares.length), h = pitch - 8, base = y + pitch - 4;
    shares.forEach((s, k) => root.append(node('rect', { x: 912 + k * bw, width: Math.max(0.6, bw - (bw > 3 ? 1 : 0)), y: base - h * s / top, height: h * s / top, style: `fill:${paint(r.schedule)}`, opacity: 0.8 })));
    root.append(node('line', { x1: 912, x2: 1152, y1: base - h / top, y2: base - h / top, style: 'stroke:var(--ink)', 'stroke-width': 1, 'stroke-dasharray': '3 3' }));
    root.append(node('text', { x: W, y: y + 21, 'text-anchor': 'end' }, fixed(r.imbalance, 2)));
  });
  return root;
}

const columns = [
  ['matrix', m => m.name, m => m.name], ['rows', m => m.rows, m => count(m.rows)], ['columns', m => m.cols, m => count(m.cols)],
  ['nonzeros', m => m.nonzeros, m => count(m.nonzeros)], ['type', m => m.type, m => m.type],
  ['fastest', m => m.best ? m.best.schedule : '', m => m.best ? m.best.schedule : 'none'],
  ['time', m => m.best ? m.best.seconds : 0, m => m.best && timed ? time(m.best.seconds) : '–'],
  ['GB/s', m => m.best ? m.best.gigabytes_per_second : 0, m => m.best && timed ? fixed(m.best.gigabytes_per_second, 1) : '–'],
  ['of copy', m => m.best ? m.best.fraction_of_copy : 0, m => m.best && copy > 0 ? percent(m.best.fraction_of_copy) : '–'],
  ['slowest', m => worst(m), m => timed ? fixed(worst(m), 1) + '×' : '–'],
  ['imbalance', m => m.best ? m.best.imbalance : 0, m => m.best ? fixed(m.best.imbalance, 2) : '–'],
  ['right', m => m.right.length - m.results.length, m => `${m.right.length} of ${m.results.length}`]];
const worst = m => m.best && m.best.seconds > 0 ? Math.max(...m.right.map(r => r.seconds)) / m.best.seconds : 1;
let sorted = 3, up = false, opened = new Set();
function table() {
  const wanted = document.getElementById('filter').value.toLowerCase();
  const rows = done.filter(m => m.name.toLowerCase().includes(wanted));
  const key = columns[sorted][1];
  rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (up ? 1 : -1));
  const head = el('tr', {}, ...columns.map(([n], i) => el('th', {
    className: (i === sorted ? 'sorted ' : '') + (i === 5 ? 'left' : ''), onclick: () => { up = i === sorted ? !up : i === 0; sorted = i; table(); } },
    n + (i === sorted ? (up ? ' ↑' : ' ↓') : ''))));
  const body = el('tbody');
  for (const m of rows) {
    const cells = columns.map(([, , show], i) => el('td', { className: i === 5 ? 'left' : i === 11 ? (m.right.length === m.results.length ? 'right' : 'wrong') : '' }, show(m)));
    if (m.best) cells[5].prepend(el('i', { style: `background:${paint(m.best.schedule)}` }));
    const row = el('tr', { className: 'row', tabIndex: 0 }, ...cells);
    const toggle = () => {
      if (opened.delete(m)) row.nextSibling.remove();
      else { opened.add(m); row.after(el('tr', { className: 'detail' }, el('td', { colSpan: columns.length }, detail(m)))); }
    };
    row.onclick = toggle;
    row.onkeydown = e => { if (e.key === 'Enter') toggle(); };
    body.append(row);
    if (opened.has(m)) row.after(el('tr', { className: 'detail' }, el('td', { colSpan: columns.length }, detail(m))));
  }
  document.getElementById('matrices').replaceChildren(el('thead', {}, head), body);
}

function legend() {
  document.getElementById('legend').replaceChildren(...names.map(n => el('button', {
    className: hidden.has(n) ? 'off' : '', onclick: () => { if (!hidden.delete(n)) hidden.add(n); draw(); } },
    el('i', { style: `background:${paint(n)}` }), n)));
}
function draw() {
  legend();
  if (timed) { scatter(); profile(); bandwidth(); cost(); wins(); }
}

function head() {
  const results = done.flatMap(m => m.results), good = results.filter(right).length;
  const usable = done.filter(m => m.best);
  const mean = f => Math.exp(usable.reduce((s, m) => s + Math.log(f(m)), 0) / (usable.length || 1));
  const cards = [[count(done.length), done.length === 1 ? 'matrix' : 'matrices'], [String(names.length), names.length === 1 ? 'schedule' : 'schedules'],
    [`${count(good)} of ${count(results.length)}`, 'results right and repeatable', good === results.length ? 'right' : 'wrong']];
  if (timed && usable.length && names.length > 1) {
    cards.push([fixed(mean(worst), 1) + '×', 'slowest over fastest schedule, mean']);
    if (names.includes('auto')) cards.push([fixed(mean(m => { const a = m.right.find(r => r.schedule === 'auto'); return a ? a.seconds / m.best.seconds : 1; }), 2) + '×', 'auto over the fastest, mean']);
  }
  if (copy > 0) cards.push([fixed(copy / 1e9, copy > 1e11 ? 0 : 1), 'GB/s copied, read plus written']);
  figures(cards);
  document.getElementById('where').textContent = `${run.machine.details}  ·  ${run.options.format}, ${run.options.index_bits}-bit indices, median of ${run.options.repeat} runs with ${run.options.cold ? 'cold' : 'warm'} caches`;
  footer(run.machine.cpu);
  const failed = run.matrices.filter(m => m.error);
  if (failed.length) document.getElementById('problems').append(el('h2', {}, 'Not run'), ...failed.map(m => el('p', { className: 'quiet' }, `${m.name}: ${m.error}`)));
  for (const [same, list] of Object.entries(Object.entries(run.aliases).reduce((o, [n, s]) => ((o[s] = o[s] || []).push(n), o), {})))
    document.getElementById('problems').append(el('p', { className: 'quiet' }, `On this device the same as ${same}: ${list.join(', ')}.`));
}
head();
if (!timed) for (const id of ['scatter', 'profile', 'bandwidth', 'cost', 'wins']) document.getElementById(id).parentElement.remove();
offerFiles();
document.getElementById('filter').oninput = table;
draw();
// Where a wrong choice costs the most, among matrices that are large enough to care about.
const large = done.filter(m => m.best && m.results.length > 1 && m.nonzeros >= 20000);
const telling = (large.length ? large : done.filter(m => m.best && m.results.length > 1)).sort((a, b) => worst(b) - worst(a)).slice(0, 3);
if (timed && telling.length) {
  for (const m of telling)
    document.getElementById('telling').append(el('h3', {}, m.name, el('span', { className: 'quiet' }, `  ${count(m.rows)} rows, ${count(m.nonzeros)} nonzeros, ${fixed(worst(m), 1)}× from fastest to slowest`)), el('figure', {}, detail(m)));
} else {
  document.getElementById('telling').parentElement.remove();
}
if (done.length <= 3) done.forEach(m => opened.add(m));
table();
