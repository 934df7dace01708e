'use strict';
const run = JSON.parse(document.getElementById('data').textContent);
const hues = ['#2f6fbf', '#e67e22', '#27935f', '#c83c48', '#805abe', '#179eaa', '#c99a0a', '#8b624b',
  '#d4679f', '#6b8e23', '#5b6b8c', '#a0522d', '#3cb4e6', '#9acd32', '#7d3c98', '#b8860b'];
const right = r => r.correct && r.repeatable;

const el = (tag, attributes = {}, ...children) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) k in e && k !== 'style' ? e[k] = v : e.setAttribute(k, v);
  e.append(...children);
  return e;
};
const node = (tag, attributes, ...children) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...children);
  return e;
};
const tip = text => node('title', {}, text);
const fixed = (x, d) => x.toLocaleString('en', { minimumFractionDigits: d, maximumFractionDigits: d });
const count = n => n.toLocaleString('en').replaceAll(',', '\u202f');
const time = s => s < 1e-3 ? fixed(s * 1e6, s < 1e-5 ? 2 : 1) + ' µs' : s < 1 ? fixed(s * 1e3, 2) + ' ms' : fixed(s, 2) + ' s';
const tick = s => s < 1e-6 ? fixed(s * 1e9, 0) + ' ns' : s < 1e-3 ? fixed(s * 1e6, 0) + ' µs' : s < 1 ? fixed(s * 1e3, 0) + ' ms' : fixed(s, 0) + ' s';
const percent = x => fixed(100 * x, 0) + '%';
const power = v => {
  const e = Math.round(Math.log10(v));
  return '10' + String(e).replace(/./g, c => ({ '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' }[c]));
};

// A plot as a file: colours that the page decides are written out.
function save(figure, name) {
  const copied = figure.querySelector('svg').cloneNode(true), style = getComputedStyle(document.documentElement);
  const value = v => style.getPropertyValue(v).trim();
  let text = new XMLSerializer().serializeToString(copied).replace(/var\((--\w+)\)/g, (_, v) => value(v));
  text = text.replace('>', ` font-family="Inter, Helvetica, Arial, sans-serif"><style>text{fill:${value('--ink')}}text.quiet{fill:${value('--quiet')}}.grid{stroke:${value('--faint')}}.axis{stroke:${value('--quiet')}}</style><rect width="100%" height="100%" fill="${value('--card')}"/>`);
  const link = el('a', { href: URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' })), download: name + '.svg' });
  link.click();
}
// The large numbers at the head: number, what it counts, and a class.
const figures = cards => document.getElementById('figures').append(...cards.map(([b, s, c]) => el('div', { className: 'figure' }, el('b', { className: c || '' }, b), el('span', {}, s))));
const offerFiles = () => { for (const f of document.querySelectorAll('figure[id]')) f.parentElement.append(el('button', { className: 'save', onclick: () => save(f, f.id) }, 'SVG')); };
const footer = cpu => document.getElementById('footer').append('Commit ', el('code', {}, run.commit), ' on ', cpu, '. ', el('code', {}, run.command.length > 400 ? run.command.slice(0, 400) + ' …' : run.command));
