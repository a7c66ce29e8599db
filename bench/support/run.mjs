// Runs benches one after another, and collects what they print: npm run bench [name …] [-- --short]
// It writes bench-results.json, and with --page the tables of docs/performance.md.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'bench');
const page = join(root, 'docs/performance.md');
const marks = ['<!-- tables -->\n', '<!-- end of tables -->\n'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean' }, page: { type: 'boolean' } },
});
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => basename(name, '.mjs'));
// it measures no speed, takes half an hour, and needs servers
const onlyByName = 'chaos';
const unknown = positionals.find((name) => !known.includes(name));
if (unknown !== undefined) throw new Error(`no bench ${unknown}; there are ${known.join(', ')}`);

const benches = {};
const usual = known.filter((name) => name !== onlyByName);
for (const name of positionals.length > 0 ? positionals : usual) {
  const args = [join(folder, `${name}.mjs`), '--json', ...(values.short ? ['--short'] : [])];
  const printed = execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  benches[name] = JSON.parse(printed.toString('utf8'));
  console.log(`\n${name}`);
  console.table(benches[name].rows);
}
const machine = `${availableParallelism()} × ${cpus()[0].model}, Node ${process.version}`;
const measured = { day: new Date().toISOString().slice(0, 10), machine, benches };
writeFileSync(join(root, 'bench-results.json'), `${JSON.stringify(measured, null, 2)}\n`);
if (values.page) writePage(measured);

function writePage({ day, machine: on, benches: all }) {
  const [begin, end] = marks;
  const text = readFileSync(page, 'utf8');
  const [before] = text.split(begin);
  const [, after] = text.split(end);
  const tables = Object.entries(all).map(([name, { rows }]) => `### ${name}\n\n${tableOf(rows)}`);
  const head = `Measured on ${day}: ${on}.\n`;
  writeFileSync(page, `${before}${begin}\n${[head, ...tables].join('\n')}\n${end}${after}`);
}

function tableOf(rows) {
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells) => `| ${cells.join(' | ')} |\n`;
  const body = rows.map((row) => line(heads.map((head) => row[head] ?? '')));
  return line(heads) + line(heads.map(() => '---')) + body.join('');
}
