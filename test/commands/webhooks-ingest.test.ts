import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listEventKeys, readEvent } from '../../src/store/event-store.ts';
import { runCli, type CliOptions } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { numberedEvent } from '../support/receiver.ts';

async function folderWith(files: Record<string, string> = {}) {
  const { folder: cwd, write } = await jobFolder({ url: 'http://127.0.0.1:9/api/v1' });
  await write(files);
  const ingest = (args: readonly string[], options: Partial<CliOptions> = {}) =>
    runCli(['webhooks', 'ingest', ...args], { cwd, ...options });
  const ingestJson = async (file: string) =>
    JSON.parse((await ingest([file, '--json'])).stdout) as unknown;
  const stored = async () => {
    const keys = await listEventKeys(join(cwd, 'data'));
    const events = await Promise.all(keys.map((key) => readEvent(join(cwd, 'data'), key)));
    return events.map(({ bodyText }) => bodyText).sort();
  };
  return { cwd, ingest, ingestJson, stored };
}

function numberedLines(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, n) => `${numberedEvent(from + n)}\n`).join('');
}

describe('webhooks ingest', () => {
  it('counts stored, duplicate and rejected events, and names the line of each rejection', async () => {
    const { ingest, stored } = await folderWith({
      'events.ndjson': `\uFEFF${numberedLines(0, 2)}{"type":"\u001b[2J"}\n\n{"type":"t","data":{}}\n${numberedLines(1, 3)}`,
    });
    const { code, stdout, stderr } = await ingest(['events.ndjson', '--no-color']);
    expect(code).toBe(0);
    expect(stdout).toBe(`3 stored, 1 duplicate, 2 rejected
line 3: body: is not JSON
line 5: createdAt: missing
The next postledger load or run applies them.
`);
    expect(stderr).toMatch(/WARN: 2 rejected\n$/);
    expect(await stored()).toEqual([0, 1, 2].map(numberedEvent));
  });

  it('reads an object on several lines, an array, or one object per line, from a file, gzip or standard input', async () => {
    const { cwd, ingestJson, ingest, stored } = await folderWith({
      'object.json': JSON.stringify(JSON.parse(numberedEvent(0)), null, 2),
      'array.json': `[${numberedEvent(1)}, ${numberedEvent(2)}]`,
    });
    await writeFile(join(cwd, 'lines.gz'), gzipSync(numberedLines(2, 5)));
    expect(await ingestJson('object.json')).toEqual({ stored: 1, duplicate: 0, rejected: [] });
    expect(await ingestJson('array.json')).toEqual({ stored: 2, duplicate: 0, rejected: [] });
    expect(await ingestJson('lines.gz')).toEqual({ stored: 2, duplicate: 1, rejected: [] });
    const { code, stdout, stderr } = await ingest(['-'], { input: numberedLines(4, 6) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('1 stored, 1 duplicate, 0 rejected\n');
    expect(await stored()).toHaveLength(6);
  });

  it('keeps the text of an array’s elements, and names those that are not events', async () => {
    const big =
      '{"type":"t, ]}\\"","data":{"n":[9007199254740993, {}]},"createdAt":"2026-01-15T12:00:00Z"}';
    const { ingestJson, stored } = await folderWith({
      'array.json': `\n [ ${big},\n7\n,\n\n ${numberedEvent(1)}, {"type":"x"}\n]\n`,
    });
    expect(await ingestJson('array.json')).toEqual({
      stored: 2,
      duplicate: 0,
      rejected: [
        { line: 3, element: 2, reason: 'body: expected an object, got 7' },
        { line: 6, element: 4, reason: 'data: missing; createdAt: missing' },
      ],
    });
    expect(await stored()).toEqual([big, numberedEvent(1)].sort());
  });

  const nothing = 'has no event; it takes one JSON object, an array of them, or one a line';

  it.each([
    ['nothing', '', nothing],
    ['an empty array', '[]', nothing],
    ['a web page', '<html>\n</html>\n', nothing],
    ['UTF-16', Buffer.from('\uFEFF{}\n', 'utf16le'), nothing],
    [
      'half an archive',
      gzipSync(numberedLines(0, 9)).subarray(0, 50),
      'cannot be read (unexpected end',
    ],
    [
      'cut off',
      numberedLines(1, 3).slice(0, -5),
      'events.json ends in the middle of line 2; get it whole',
    ],
  ])('exits with 1 when the input is %s', async (_, content, reason) => {
    const { cwd, ingest } = await folderWith();
    await writeFile(join(cwd, 'events.json'), content);
    const { code, stderr } = await ingest(['events.json']);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });

  it('reads lines one after another, however large the decompressed input is, and refuses an array that is too large', async () => {
    const { cwd, ingest, stored } = await folderWith();
    const long = `{"type":"t","data":{"x":"${'x'.repeat(2 ** 21)}"},"createdAt":"2026-01-15T12:00:00Z"}\n`;
    const lines = `${numberedLines(0, 1)}${long}${numberedLines(1, 2)}`;
    await writeFile(join(cwd, 'lines.gz'), gzipSync(lines));
    const read = await ingest(['lines.gz']);
    expect(read.stdout).toContain('2 stored, 0 duplicate, 1 rejected\nline 2: body: has more than');
    expect(await stored()).toHaveLength(2);
    await writeFile(join(cwd, 'bomb.gz'), gzipSync(`[${' '.repeat(2 ** 27)}]`));
    const bomb = await ingest(['bomb.gz']);
    expect(bomb.code).toBe(1);
    expect(bomb.stderr).toContain(
      'the input is an array of more than 64 MiB, decompressed; write one event per line instead',
    );
  });

  it('exits with 1 when the disk is full, and says how much is stored', async () => {
    const { ingest } = await folderWith({
      'events.ndjson': numberedLines(0, 3),
      'data/raw': 'in the way',
    });
    const { code, stderr } = await ingest(['events.ndjson']);
    expect(code).toBe(1);
    expect(stderr).toContain('stopped with 0 events stored: the event could not be written to');
  });

  it.each([
    [['no-such-file'], 'no-such-file cannot be read: it does not exist'],
    [['.'], '. cannot be read: EISDIR'],
    [[], "missing required argument 'file'"],
  ])('exits with 2 for %j', async (args, reason) => {
    const { ingest } = await folderWith();
    const { code, stdout, stderr } = await ingest(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reason);
  });
});
