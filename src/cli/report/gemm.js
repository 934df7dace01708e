const rows = run.schedules.map((s, i) => ({ ...s, hue: hues[i % hues.length], least: Math.min(...s.seconds), most: Math.max(...s.seconds) }));
const fast = [...rows].sort((a, b) => a.median_seconds - b.median_seconds);
const best = fast.find(right);
const rate = f => f >= 1e12 ? fixed(f / 1e12, f < 1e13 ? 2 : 1) + ' TFLOP/s' : fixed(f / 1e9, 1) + ' GFLOP/s';

function times() {
  const W = 620, pitch = 30, wide = 330, most = Math.max(...rows.map(r => r.median_seconds), 1e-12);
  const cap = Math.min(most, 6 * fast[0].median_seconds), x = v => 120 + wide * Math.min(v, cap) / cap;
  const root = node('svg', { viewBox: `0 0 ${W} ${rows.length * pitch + 8}`, role: 'img', 'font-size': 13.5 });
  fast.forEach((r, i) => {
    const y = 4 + i * pitch;
    root.append(node('text', { x: 110, y: y + 18, 'text-anchor': 'end' }, r.schedule),
      node('rect', { x: 120, y: y + 4, width: Math.max(2, x(r.median_seconds) - 120), height: pitch - 11, rx: 3, style: `fill:${r.hue}` }, tip(r.engine)),
      node('line', { x1: x(r.least), x2: x(r.most), y1: y + 13.5, y2: y + 13.5, style: 'stroke:var(--ink)', 'stroke-width': 1.4, opacity: 0.55 }),
      node('text', { x: Math.max(x(r.median_seconds), x(r.most)) + 9, y: y + 18 }, time(r.median_seconds) + (right(r) ? '' : r.correct ? ', not repeatable' : ', WRONG')));
  });
  document.getElementById('times').replaceChildren(root);
}

function rates() {
  const drawn = rows.filter(r => r.used_share !== undefined);
  const W = 620, H = 400, L = 64, R = 30, T = 12, B = 50, top = 1.08 * Math.max(...rows.map(r => r.flops), 1);
  if (!drawn.length || !(top > 1)) { document.getElementById('rates').parentElement.remove(); return; }
  const least = Math.max(0, Math.floor(10 * Math.min(...drawn.map(r => r.used_share)) - 0.5) / 10);
  const x = v => L + (W - L - R) * (v - least) / (1 - least || 1), y = v => H - B - (H - B - T) * v / top;
  const root = node('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'font-size': 13 });
  for (let k = 0; k <= 4; ++k) {
    const u = least + (1 - least) * k / 4, f = top * k / 4;
    root.append(node('line', { class: 'grid', x1: x(u), x2: x(u), y1: T, y2: H - B }), node('text', { class: 'quiet', x: x(u), y: H - B + 20, 'text-anchor': 'middle' }, percent(u)),
      node('line', { class: 'grid', x1: L, x2: W - R, y1: y(f), y2: y(f) }), node('text', { class: 'quiet', x: L - 9, y: y(f) + 4.5, 'text-anchor': 'end' }, fixed(f / (top >= 1e12 ? 1e12 : 1e9), top >= 1e13 || top < 1e12 ? 0 : 1)));
  }
  root.append(node('text', { x: (L + W - R) / 2, y: H - 8, 'text-anchor': 'middle' }, "blocks' time used"),
    node('text', { class: 'quiet', x: L + 6, y: T + 12 }, top >= 1e12 ? 'TFLOP/s' : 'GFLOP/s'));
  for (const r of drawn)
    root.append(node('circle', { cx: x(r.used_share), cy: y(r.flops), r: 5, style: `fill:${r.hue}`, 'fill-opacity': 0.8 }, tip(`${r.schedule}\n${rate(r.flops)}, ${percent(r.used_share)} of the blocks' time`)));
  document.getElementById('rates').replaceChildren(root);
}

// Parts: of tiles, that one block leaves for another. Error: over the bound of its rounding.
function table() {
  const columns = [['schedule', r => r.schedule === 'auto' ? `auto: ${r.runs}` : r.schedule], ['time', r => time(r.median_seconds)], ['rate', r => rate(r.flops)],
    ['tiles', r => `${count(r.tiles)} of ${r.tile.slice(0, 2).join(' × ')}`], ['k-steps', r => `${count(r.steps)} of ${r.tile[2]}`], ['blocks', r => count(r.workers)],
    ['time used', r => r.used_share === undefined ? '–' : percent(r.used_share)], ['parts', r => r.parts === undefined ? '–' : count(r.parts)],
    ['engine', r => r.engine], ['workspace', r => count(Math.ceil(r.plan_bytes / 1024)) + ' KiB'], ['error', r => percent(r.worst_error)],
    ['result', r => right(r) ? 'right' : r.correct ? 'not repeatable' : 'WRONG']];
  const body = el('tbody', {}, ...fast.map(r => {
    const cells = columns.map(([n, show]) => el('td', { className: n === 'schedule' ? 'left' : n === 'result' ? (right(r) ? 'right' : 'wrong') : '' }, show(r)));
    cells[0].prepend(el('i', { style: `background:${r.hue}` }));
    return el('tr', {}, ...cells);
  }));
  document.getElementById('schedules').replaceChildren(el('thead', {}, el('tr', {}, ...columns.map(([n], i) => el('th', { className: i === 0 ? 'left' : '' }, n)))), body);
}

const good = rows.filter(right).length;
figures([...(best ? [[time(best.median_seconds), `the fastest: ${best.schedule}`], [rate(best.flops), 'of the fastest'],
  [fixed(fast.at(-1).median_seconds / best.median_seconds, 1) + '×', 'slowest over fastest']] : []),
  [String(rows.length), rows.length === 1 ? 'schedule' : 'schedules'], [`${good} of ${rows.length}`, 'results right and repeatable', good === rows.length ? 'right' : 'wrong']]);
document.getElementById('where').textContent = `${run.device}  ·  C (${count(run.m)} × ${count(run.n)}) = A B over k = ${count(run.k)}, ${run.type}, ${run.layout === 'nt' ? 'B by columns' : 'B by rows'}, ${run.cold ? 'cold' : 'warm'} caches`;
footer(run.cpu);
times();
rates();
table();
offerFiles();
