import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listSegments } from '../../src/inbox/spool/segment.ts';
import { readSegment } from '../../src/inbox/spool/read-segment.ts';
import { runCli, startCli, writeFiles, type CliOptions } from '../support/cli.ts';
import { numberedEvent } from '../support/receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const jobs = `workspaces:
  acme:
    base_url: http://127.0.0.1:9/api/v1
    api_key: \${ACME_API_KEY}
    profiles: [{ id: 11111111-1111-4111-8111-111111111111, name: Acme }]
jobs:
  daily: { profiles: [acme/*], windows: { days: 7 } }
webhooks: {}
`;

const reportSchema = z.object({
  stored: z.int(),
  duplicate: z.int(),
  rejected: z.array(
    z.object({
      line: z.int(),
      number: z.int(),
      element: z.int().nullable(),
      reason: z.string(),
    }),
  ),
  rejected_count: z.int(),
  quarantine: z.string().nullable(),
});

async function folderWith(files: Record<string, string> = {}) {
  const cwd = await temporaryFolder();
  await writeFiles(cwd, { 'jobs.yaml': jobs, ...files });
  const ingest = (args: readonly string[], options: Partial<CliOptions> = {}) =>
    runCli(['webhooks', 'ingest', ...args], { cwd, ...options });
  const ingestJson = async (...args: string[]) => {
    const { stdout } = await ingest([...args, '--json']);
    return reportSchema.parse(JSON.parse(stdout));
  };
  const stored = async () => {
    const segments = await listSegments(join(cwd, 'data'));
    const read = await Promise.all(segments.map(readSegment));
    return read.flatMap((found) => found?.events ?? []).map(({ payload }) => payload);
  };
  return { cwd, ingest, ingestJson, stored };
}

function numberedLines(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, n) => `${numberedEvent(from + n)}\n`).join('');
}

describe('webhooks ingest', () => {
  it('says how many it stored, knew and rejected, why, and what takes them in', async () => {
    const { ingest, stored } = await folderWith({
      'events.ndjson': `\uFEFF${numberedLines(0, 2)}{"type":"\u001b[2J"}\n\n${numberedLines(1, 3)}`,
    });
    const { code, stdout, stderr } = await ingest(['events.ndjson', '--no-color']);
    expect(code).toBe(0);
    const [counts, rejected, next, ...more] = stdout.split('\n');
    expect(counts).toBe('3 stored, 1 duplicate, 1 rejected');
    expect(rejected).toMatch(/^line 3: body: /);
    expect([next, ...more]).toEqual(['postledger load, or the next run, takes them in.', '']);
    expect(stderr).toMatch(
      /WARN: 1 text that is no event is kept in .*\/data\/quarantine\/ingest-.*\.ndjson\n$/,
    );
    expect(await stored()).toEqual([0, 1, 2].map(numberedEvent));
  });

  it('reads an object over lines, an array, or lines, from a file, gzip or standard input', async () => {
    const { cwd, ingestJson, ingest, stored } = await folderWith({
      'object.json': JSON.stringify(JSON.parse(numberedEvent(0)), null, 2),
      'array.json': `[${numberedEvent(1)}, ${numberedEvent(2)}]`,
    });
    await writeFile(join(cwd, 'lines.gz'), gzipSync(numberedLines(2, 5)));
    const report = { stored: 1, duplicate: 0, rejected: [], rejected_count: 0, quarantine: null };
    expect(await ingestJson('object.json')).toEqual(report);
    expect(await ingestJson('array.json')).toEqual({ ...report, stored: 2 });
    expect(await ingestJson('lines.gz')).toEqual({ ...report, stored: 2, duplicate: 1 });
    const { code, stdout, stderr } = await ingest(['-'], { input: numberedLines(4, 6) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('1 stored, 1 duplicate, 0 rejected\n');
    expect(await stored()).toEqual([0, 1, 2, 3, 4, 5].map(numberedEvent));
  });

  it.each([
    ['nothing', '', 'there is not one event in events.json; it takes one JSON object'],
    ['an empty array', '[]', 'there is not one event in events.json; it takes one JSON object'],
    [
      'other JSON',
      '{"posts":[]}',
      'there is not one event in events.json; it takes one JSON object',
    ],
    ['a web page', '<html>\n</html>', 'there is not one event in events.json; it takes one JSON'],
    [
      'UTF-16',
      Buffer.from('\uFEFF{}', 'utf16le'),
      'events.json is text in UTF-16; save it in UTF-8',
    ],
    [
      'half an archive',
      gzipSync(numberedLines(0, 9)).subarray(0, 50),
      'read in part only: unexpected end',
    ],
  ])('exits with 1 where the input is %s', async (_, content, reason) => {
    const { cwd, ingest } = await folderWith();
    await writeFile(join(cwd, 'events.json'), content);
    const { code, stderr } = await ingest(['events.json']);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });

  const remedy = 'get it whole and ingest it again, what is stored already counts once';

  it.each([
    ['an array', `[\n${numberedEvent(1)},\n{"ty`, 'the array that begins on line 1', 1],
    [
      'an array without its last mark',
      `[${numberedEvent(1)}`,
      'the array that begins on line 1',
      0,
    ],
    ['a line', `${numberedEvent(1)}\n{"ty`, 'the event that begins on line 2', 1],
  ])(
    'stores what is whole of %s that is cut off, and exits with 1',
    async (_, input, what, rejected) => {
      const { ingest, stored } = await folderWith({ 'cut.json': input });
      const { code, stdout, stderr } = await ingest(['cut.json', '--quiet', '--no-color']);
      expect(code).toBe(1);
      expect(stdout).toContain(`1 stored, 0 duplicate, ${rejected} rejected\n`);
      expect(stderr).toContain(`cut.json ends in the middle of ${what}; ${remedy}`);
      expect(await stored()).toEqual([numberedEvent(1)]);
    },
  );

  it('stores what is whole of an archive that is cut off, and exits with 1', async () => {
    const { cwd, ingest, stored } = await folderWith();
    const packed = gzipSync(numberedLines(0, 50_000));
    await writeFile(join(cwd, 'cut.gz'), packed.subarray(0, -2_000));
    const { code, stdout, stderr } = await ingest(['cut.gz', '--quiet']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `cut.gz could be read in part only: unexpected end of file; ${remedy}`,
    );
    const events = await stored();
    expect(events.length).toBeGreaterThan(1_000);
    expect(stdout).toContain(`${events.length.toLocaleString('en-US')} stored, 0 duplicate`);
  });

  it('names the element where an array stands on one line', async () => {
    const { ingest } = await folderWith({
      'array.json': `[${numberedEvent(1)}, 7, ${numberedEvent(2)}, {"type":"x"}]`,
    });
    const { code, stdout } = await ingest(['array.json']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nline 1, element 2: .*\nline 1, element 4: data: /);
  });

  it.each([
    [['no-such-file'], 'no-such-file cannot be read: it does not exist'],
    [['.'], '. is a folder; name a file of events'],
    [[], "missing required argument 'file'"],
    [['jobs.yaml', '--wait', 'long'], 'Give seconds'],
  ])('exits with 2 for %j', async (args, reason) => {
    const { ingest } = await folderWith();
    const { code, stdout, stderr } = await ingest(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reason);
  });

  it('waits for another one, so that both together store each event once', async () => {
    const { ingestJson, stored } = await folderWith({ 'events.ndjson': numberedLines(0, 3_000) });
    const reports = await Promise.all([ingestJson('events.ndjson'), ingestJson('events.ndjson')]);
    expect(reports.map(({ stored: n, duplicate }) => n + duplicate)).toEqual([3_000, 3_000]);
    expect(await stored()).toHaveLength(3_000);
  });

  it('stores each event once while a receiver takes the same ones in', async () => {
    const { cwd, ingestJson, stored } = await folderWith({
      'events.ndjson': numberedLines(0, 500),
    });
    const serving = startCli(['webhooks', 'serve', '--port', '0', '--json'], { cwd });
    const { url } = await addressOf(serving.child.stdout);
    const post = async (n: number) => {
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(url, { method: 'POST', headers, body: numberedEvent(n) });
      return status;
    };
    const [report, ...statuses] = await Promise.all([
      ingestJson('events.ndjson'),
      ...Array.from({ length: 200 }, (_, n) => post(n + 400)),
    ]);
    expect(report.stored + report.duplicate).toBe(500);
    expect(statuses.every((status) => status === 202 || status === 200)).toBe(true);
    expect(await post(0)).toBe(200);
    serving.child.kill('SIGTERM');
    expect((await serving.finished).code).toBe(0);
    expect(new Set(await stored()).size).toBe(600);
  });

  it.each(['before', 'after'].flatMap((when) => [1, 2, 3].map((nth) => [when, nth] as const)))(
    'loses nothing and stores nothing twice when it is killed %s naming its segment %i, and runs again',
    async (when, nth) => {
      const { cwd, ingest, ingestJson, stored } = await folderWith({
        'events.ndjson': `7\n${numberedLines(0, 5_000)}`,
        'die.mjs': dyingAtRename(when, nth),
      });
      const env = { NODE_OPTIONS: `--import=${join(cwd, 'die.mjs')}` };
      const killed = await ingest(['events.ndjson'], { env });
      expect(killed.signal).toBe('SIGKILL');
      const safe = (await stored()).length;
      expect(safe).toBe(Math.min(5_000, 2_000 * (when === 'after' ? nth : nth - 1)));
      const report = await ingestJson('events.ndjson');
      expect(report).toMatchObject({ stored: 5_000 - safe, duplicate: safe, rejected_count: 1 });
      const events = await stored();
      expect([events.length, new Set(events).size]).toEqual([5_000, 5_000]);
      const names = await readdir(join(cwd, 'data', 'inbox'));
      expect(names.filter((name) => !name.endsWith('.ndjson'))).toEqual([]);
    },
  );
});

/** Kills its process at the nth renaming of a file into the inbox. */
function dyingAtRename(when: string, nth: number): string {
  return `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const rename = fs.promises.rename;
let count = 0;
fs.promises.rename = async (from, to) => {
  if (to.includes('/inbox/')) count += 1;
  if (count !== ${nth}) return rename(from, to);
  if (${when === 'after'}) await rename(from, to);
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => setInterval(() => {}, 1000));
};
syncBuiltinESMExports();
`;
}

async function addressOf(output: AsyncIterable<unknown> | null): Promise<{ url: string }> {
  let text = '';
  for await (const chunk of output ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return z.object({ url: z.string() }).parse(JSON.parse(text));
}
