import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generatedRows, generatePosts } from '../../report/support/generated-rows.ts';
import { makeWarehouse } from '../../report/support/report-warehouse.ts';
import { runCli, type Finished } from '../../support/cli.ts';
import { writeFiles } from '../../support/cli.ts';
import { assertHolds, fuzzTimeoutMs } from '../../support/fuzz.ts';
import { minimalJobs } from '../../support/jobs-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Values of flags and arguments. None names a file beyond the folder that the program stands in. */
const value = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '-',
      '--',
      '-1',
      '0',
      '1',
      '1e9',
      '1.5',
      '99999999999999999999',
      'NaN',
      '0x10',
      '٣',
      'null',
      'true',
    ],
    ...[
      '2026-01-01',
      '2026-02-30',
      '0000-00-00',
      '2026-01-01T00:00:00Z',
      '10000-01-01',
      'a=b',
      '=',
      'minimum_posts=5',
    ],
    ...[
      'emv',
      'video',
      'EMV',
      'daily',
      'acme',
      'Acme',
      '(none)',
      'csv',
      'json',
      'html,csv',
      ',',
      'table',
      'Video',
      'x'.repeat(3_000),
    ],
    ...[
      '6f1c7a52-0f0e-4a58-9c1b-2f9b3f6f2d11',
      '\u001b[31mred',
      '\u001b]0;t\u0007',
      'a\nb',
      '\r',
      '\u202e',
      '\u009b',
      '__proto__',
    ],
    ...[
      'constructor',
      'toString',
      'select 1',
      "select '",
      "'; drop table posts; --",
      'select 1; select 2',
      '${HOME}',
    ],
    ...[
      '--help',
      '-h',
      '--version',
      '--quiet',
      '--no-color',
      '--no-such-flag',
      '--json=1',
      '--from=',
      '-x',
      '-qx',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !/[\\/\0]|\.\.|~/.test(text)),
);
const flag = fc.constantFrom(
  ...[
    '--from',
    '--to',
    '--wait',
    '--json',
    '--full',
    '--no-reports',
    '--workspace',
    '--profile',
    '--campaign',
    '--label',
  ],
  ...[
    '--type',
    '--cpm',
    '--as-of',
    '--removed',
    '--compare',
    '--set',
    '--format',
    '--limit',
    '--outcome',
    '--rejected',
  ],
  ...[
    '--channel',
    '--resolved',
    '--user',
    '--message',
    '--due',
    '--blocking',
    '--yes',
    '--print',
    '--seed',
    '--port',
  ],
  ...[
    '--log-level',
    '--log-format',
    '--timeout',
    '--memory',
    '--bom',
    '--raw',
    '--force',
    '--online',
    '--nope',
    '--',
  ],
);

/** Without a key nothing is sent: what needs one ends before that. */
const keyless = ['--config', 'keyless.yaml'];
const command = fc.constantFrom(
  ...[
    ['status'],
    ['load'],
    ['plan'],
    ['sql'],
    ['report'],
    ['report', 'list'],
    ['report', 'run'],
    ['report', 'check'],
  ],
  ...[
    ['report', 'new'],
    ['webhooks'],
    ['webhooks', 'list'],
    ['webhooks', 'replay'],
    ['webhooks', 'ingest'],
    ['verify'],
    ['runs', 'list'],
    ['runs', 'show'],
    ['archive', 'verify'],
    ['rebuild'],
    [],
    ['help'],
  ],
  ...[['init'], ['nope'], [''], ['\u001b[2J'], ['constructor'], ['__proto__']],
  ...['run', 'check', 'posts', 'approvals', 'ideas', 'engagements', 'comments'].map((name) => [
    ...keyless,
    name,
  ]),
  ...[
    ['posts', 'get'],
    ['posts', 'unschedule'],
    ['approvals', 'list'],
    ['approvals', 'request'],
    ['ideas', 'archive'],
  ].map((words) => [...keyless, ...words]),
  ...[
    ['engagements', 'delete'],
    ['comments', 'list'],
  ].map((words) => [...keyless, ...words]),
  // what would go on for ever is only asked for what it refuses
  ...[
    ['schedule', '--nope'],
    ['demo', '--nope'],
    ['sandbox', 'serve', '--nope'],
    ['webhooks', 'serve', '--nope'],
    ['report', 'preview', '--nope'],
  ],
);
/** They would go on for ever, or send something, wherever they stand. */
const untried = new Set(['schedule', 'demo', 'sandbox', 'serve', 'preview']);
const line = fc
  .tuple(
    command,
    fc.array(
      fc.oneof(
        flag,
        value,
        fc.tuple(flag, value).map((pair) => pair.join('=')),
      ),
      { maxLength: 5 },
    ),
  )
  .map(([words, rest]) => [...words, ...rest.filter((text) => !untried.has(text))]);

async function prepareFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const jobs = minimalJobs.replace(
    'https://social.example.com/api/v1',
    'http://127.0.0.1:1/api/v1',
  );
  await writeFiles(folder, {
    'jobs.yaml': jobs.replace('ACME_API_KEY', 'FUZZ_KEY'),
    'keyless.yaml': jobs,
    'data/.keep': '',
  });
  await makeWarehouse(join(folder, 'data', 'postledger.duckdb'), generatedRows(generatePosts(20)));
  return folder;
}

const env = { FUZZ_KEY: 'fuzz-key' };

function holdEnd(args: readonly string[], { code, stderr }: Finished): void {
  const place = `${JSON.stringify(args)} → ${code}: ${stderr}`;
  expect([0, 1, 2, 3, 4], place).toContain(code);
  expect(stderr, place).not.toMatch(/this is a bug|\n {4}at |UnhandledPromise|Warning:/);
  expect(stderr.replace(/[\n\t]/g, ''), place).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  if (code !== 0) expect(stderr.trim(), place).not.toBe('');
}

test(
  'whatever is typed, the program ends with one of its exit codes and a message without controls, and calls nothing a bug',
  async () => {
    const cwd = await prepareFolder();
    const run = (...args: string[]) => runCli(args, { cwd, env });
    await assertHolds(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 25 }), async (lines) => {
        for (const args of lines) holdEnd(args, await run(...args));
      }),
      4,
    );
  },
  fuzzTimeoutMs,
);

const known = fc.constantFrom(
  ...[['status'], ['plan'], ['load'], ['report', 'run', 'emv'], ['webhooks', 'list'], ['init']],
);
const wrong = fc.constantFrom(
  ...[
    ['--no-such-flag'],
    ['--from'],
    ['--log-level', 'loud'],
    ['--config'],
    ['-x'],
    ['--from', '2026-02-30', '--to'],
    ['--wait', '-1', '--nope'],
  ],
);

test(
  'what no command takes is wrong usage',
  async () => {
    const cwd = await prepareFolder();
    const run = (...args: string[]) => runCli(args, { cwd, env });
    expect(await run('status')).toMatchObject({ code: 0 });
    const unknown = await run('nope');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("unknown command 'nope'");
    await assertHolds(
      fc.asyncProperty(
        fc.array(
          fc.tuple(known, wrong).map((words) => words.flat()),
          { minLength: 1, maxLength: 20 },
        ),
        async (lines) => {
          for (const args of lines) expect(await run(...args)).toMatchObject({ code: 2 });
        },
      ),
      1,
    );
  },
  fuzzTimeoutMs,
);
