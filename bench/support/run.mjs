// Runs benches one after another, and collects what they print: npm run bench [name …] [-- --short]. One bench takes
// options of its own: npm run bench chaos -- --minutes 6
// It writes bench-results.json, and with --page the tables of docs/performance.md.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'bench');
const page = join(root, 'docs/performance.md');
const marks = ['<!-- tables -->\n', '<!-- end of tables -->\n'];

const options = { short: { type: 'boolean' }, page: { type: 'boolean' } };
const given = process.argv.slice(2);
const isOwn = (arg) => !arg.startsWith('-') || Object.hasOwn(options, arg.slice(2));
const ownCount = given.findIndex((arg) => !isOwn(arg));
const [own, ofBench] =
  ownCount < 0 ? [given, []] : [given.slice(0, ownCount), given.slice(ownCount)];
const { values, positionals } = parseArgs({ args: own, allowPositionals: true, options });
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => basename(name, '.mjs'));
// it measures no speed, takes half an hour, and needs servers
const onlyByName = 'chaos';
const unknown = positionals.find((name) => !known.includes(name));
if (unknown !== undefined) throw new Error(`no bench ${unknown}; there are ${known.join(', ')}`);
if (ofBench.length > 0 && positionals.length !== 1)
  throw new Error(`${ofBench[0]} is an option of one bench: name it before`);

const benches = {};
const usual = known.filter((name) => name !== onlyByName);
for (const name of positionals.length > 0 ? positionals : usual) {
  const short = values.short ? ['--short'] : [];
  const args = [join(folder, `${name}.mjs`), '--json', ...short, ...ofBench];
  const { stdout, status } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exitCode = 1;
  // one that has found problems has measured; one that has broken off has printed nothing
  if (stdout.length === 0) continue;
  benches[name] = JSON.parse(stdout.toString('utf8'));
  console.log(`\n${name}`);
  console.table(benches[name].rows);
  for (const problem of benches[name].problems ?? []) console.error(problem);
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
