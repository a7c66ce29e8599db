import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'src');

/** The whole rooms that a room may import, besides itself. */
const rooms: Record<string, readonly string[]> = {
  core: [],
  languages: ['core'],
  config: ['core'],
  api: ['core'],
  plan: ['core'],
  extract: ['core'],
  store: ['core'],
  webhooks: ['core', 'store'],
  warehouse: ['core'],
  load: ['core', 'store', 'warehouse'],
  status: ['core', 'load', 'store', 'warehouse'],
  report: ['core', 'languages', 'warehouse'],
  render: ['core', 'languages'],
  output: ['core', 'languages', 'render', 'report'],
  explain: ['core', 'load', 'report', 'store', 'warehouse'],
  preview: ['core', 'output', 'report'],
  maintenance: ['core', 'load', 'output', 'store', 'warehouse'],
  schedule: ['core'],
  sandbox: ['core'],
  deliver: ['core'],
};

/** The files or folders of other rooms that a room may import: the contracts of its input and output. */
const contracts: Record<string, readonly string[]> = {
  config: ['languages/phrases.ts'],
  api: ['config/config.ts'],
  plan: ['api/answer-proof.ts', 'config/asked-days.ts', 'config/config.ts'],
  extract: [
    'api/analytics-record.ts',
    'api/answer-proof.ts',
    'api/api-error.ts',
    'config/config.ts',
    'plan/grid.ts',
    'plan/parts.ts',
    'plan/plan.ts',
    'store/manifest.ts',
    'store/run-writer.ts',
  ],
  webhooks: ['api/schemas/', 'config/config.ts', 'config/secret.ts'],
  warehouse: [
    'config/config.ts',
    'config/secret.ts',
    'plan/plan.ts',
    'store/layout.ts',
    'store/object-store.ts',
  ],
  load: [
    'api/analytics-record.ts',
    'api/answer-proof.ts',
    'api/schemas/',
    'config/config.ts',
    'config/prices-schema.ts',
    'languages/number-format.ts',
  ],
  status: [
    'config/asked-days.ts',
    'config/config.ts',
    'deliver/delivery.ts',
    'deliver/outbox.ts',
    'plan/plan.ts',
    'report/needed-days.ts',
    'report/period.ts',
    'report/report-catalog.ts',
    'schedule/cron-expression.ts',
    'schedule/schedule.ts',
  ],
  report: ['api/schemas/vocabulary.ts', 'config/asked-days.ts', 'config/config.ts'],
  render: ['config/config.ts', 'report/report-document.ts'],
  output: [
    'config/config.ts',
    'config/defined-deliveries.ts',
    'config/run-tools.ts',
    'deliver/delivery.ts',
    'deliver/outbox.ts',
    'schedule/slot.ts',
    'status/open-problems.ts',
    'warehouse/limits.ts',
    'warehouse/query-file.ts',
  ],
  preview: ['config/config.ts', 'warehouse/limits.ts', 'warehouse/warehouse.ts'],
  maintenance: ['config/config.ts', 'config/run-tools.ts', 'deliver/outbox.ts'],
  schedule: ['config/config.ts', 'report/period.ts', 'warehouse/warehouse.ts'],
  deliver: [
    'config/config.ts',
    'config/defined-deliveries.ts',
    'config/secret.ts',
    'config/value-kinds.ts',
    'languages/number-format.ts',
    'store/object-store.ts',
  ],
  store: ['api/answer-proof.ts', 'config/secret.ts'],
  sandbox: ['api/schemas/'],
  explain: ['api/analytics-record.ts'],
};

/** The rooms at the end of the flow, which combine the stages. */
const composers = new Set([
  'bin.ts',
  'cli.ts',
  'index.ts',
  'commands',
  'pipeline.ts',
  'pipeline',
  'review',
]);

const owners: Record<string, string | string[]> = {
  undici: ['core', 'api', 'deliver', 'store'],
  '@duckdb/node-api': 'warehouse',
  nodemailer: 'deliver',
  '@aws-sdk/client-s3': 'store',
  pg: 'warehouse',
  tar: 'store',
};

interface Import {
  from: string;
  to: string;
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));

const imports: Import[] = files.flatMap((from) =>
  ts
    .preProcessFile(readFileSync(join(source, from), 'utf8'))
    .importedFiles.map(({ fileName }) => ({ from, to: target(from, fileName) })),
);

function target(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return relative(source, resolve(source, dirname(from), specifier)).replaceAll('\\', '/');
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? file;
}

function isAllowed({ from, to }: Import): boolean {
  const room = roomOf(from);
  if (!files.includes(to) || composers.has(room) || roomOf(to) === room) return true;
  const isContract = (contract: string) =>
    contract.endsWith('/') ? to.startsWith(contract) : to === contract;
  return (rooms[room] ?? []).includes(roomOf(to)) || (contracts[room] ?? []).some(isContract);
}

function cycleFrom(start: string): string[] | null {
  const trail: string[] = [];
  const done = new Set<string>();
  const visit = (file: string): string[] | null => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return null;
    trail.push(file);
    for (const { to } of imports.filter(({ from }) => from === file)) {
      const cycle = visit(to);
      if (cycle) return cycle;
    }
    trail.pop();
    done.add(file);
    return null;
  };
  return visit(start);
}

describe('the source', () => {
  it('has only rooms that this test lists', () => {
    const known = new Set([...Object.keys(rooms), ...composers]);
    expect([...new Set(files.map(roomOf))].filter((room) => !known.has(room))).toEqual([]);
  });

  it('has imports in one direction only, to core and to the contracts of a stage', () => {
    const wrong = imports.filter((entry) => !isAllowed(entry));
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it('has only what a run or a catch-up needs in the pipeline', () => {
    const needed = new Set(['pipeline/watched-run.ts', 'pipeline/catch-up.ts']);
    // a set is iterated with what is added meanwhile
    for (const file of needed)
      for (const { from, to } of imports) if (from === file) needed.add(to);
    const stages = files.filter((file) => roomOf(file) === 'pipeline');
    expect(stages.filter((file) => !needed.has(file))).toEqual([]);
  });

  it('has no import cycle, type-only ones included', () => {
    expect(files.map(cycleFrom).find((cycle) => cycle !== null) ?? null).toBeNull();
  });

  it.each(Object.entries(owners))('lets %s be imported by %s alone', (library, owner) => {
    const users = imports.filter(({ to }) => to === library || to.startsWith(`${library}/`));
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter(({ from }) => ![owner].flat().includes(roomOf(from)))).toEqual([]);
  });

  it('has no barrel files and no vague names', () => {
    const vague = /^(utils?|helpers?|lib|common|types|misc|index)(\.ts)?$/;
    const names = files.flatMap((file) => (file === 'index.ts' ? [] : file.split('/')));
    expect(names.filter((name) => vague.test(name))).toEqual([]);
  });

  it('names files in kebab case', () => {
    expect(files.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(basename(file)))).toEqual(
      [],
    );
  });
});
