import { expect, it } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { jobFolder } from '../support/job-folder.ts';
import { analyticsRecord, postDetails, uuid } from '../support/made-records.ts';
import { failure, startPlainService } from '../support/plain-service.ts';

/** Sequences that clear the screen, set a title, add a link, ring, and reverse lines, in 7 and in 8 bits. */
const steering = [
  '\u001b[2J\u001b[H',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\',
  '\u001bP+q544e\u001b\\',
  '\u009b31m\u009d0;x\u009c',
  '\u202etxt.exe\u2066\u2069',
  'over\rwritten\b\b\u007f\u0000',
].join(' ');

/** The characters that no line for people may contain. Colours are among them, since nothing here is a terminal. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

it('terminal control sequences from the service, a sender or a file never reach a terminal', async () => {
  const today = dayOf(new Date(), 'UTC');
  const servicePost = {
    id: uuid(501),
    title: `Title ${steering}`,
    labels: [
      { id: uuid(7), name: `Label ${steering}`, color: steering, backgroundColor: steering },
    ],
    campaign: { id: uuid(8), name: `Campaign ${steering}`, startDate: null, endDate: null },
  };
  const records = [
    analyticsRecord(1, addDays(today, -3), {
      commentary: steering,
      type: `Type ${steering}`,
      servicePost,
      [steering]: steering,
    }),
    analyticsRecord(2, addDays(today, -4), { impressionCount: steering }),
    { ...analyticsRecord(3, addDays(today, -5)), id: null },
  ];
  const service = await startPlainService({
    analytics: new Map([[uuid(900), records]]),
    posts: new Map([
      [uuid(501), postDetails(501, { title: steering, status: steering, url: steering })],
    ]),
  });
  service.answer(uuid(901), {
    ...failure(400, steering, steering),
    headers: { 'retry-after': '1' },
  });
  service.answer(uuid(902), { status: 200, body: `${steering} is no JSON` });
  const job = await jobFolder({
    url: service.url,
    profiles: [
      { name: 'Acme', number: 900 },
      { name: 'Refused', number: 901 },
      { name: 'Broken', number: 902 },
    ],
    reports: '[{ report: emv, period: last_30_days, formats: [csv], out: out }]',
  });
  const deletion = {
    type: 'post.permanently_deleted',
    data: { post: { id: steering }, workspace: { id: steering, slug: steering } },
    createdAt: '2026-01-15T12:00:00Z',
  };
  await job.write({
    'events.ndjson': [
      JSON.stringify({
        type: steering,
        data: { [steering]: steering },
        createdAt: '2026-01-15T12:00:00Z',
      }),
      JSON.stringify(deletion),
      JSON.stringify({ type: 'test', data: {}, createdAt: steering }),
      `{"${steering}`,
    ].join('\n'),
    'reports/odd/report.yaml': `title: "x\\e[2J"\ndescription: ${JSON.stringify(steering)}\nsections: []\n${JSON.stringify(steering)}: 1\n`,
    'reports/odd/x.sql': `select "${steering.replaceAll('\u0000', '')}"`,
  });
  const commands: readonly (readonly string[])[] = [
    ['webhooks', 'ingest', 'events.ndjson'],
    ['check', '--online'],
    ['plan'],
    ['run'],
    ['load'],
    ['status'],
    ['runs', 'list'],
    ['runs', 'show', '2'],
    ['webhooks', 'list', '--limit', '0'],
    ['posts', 'get', uuid(501)],
    ['posts', 'get', uuid(502)],
    ['sql', 'from post_performance'],
    ['sql', 'from rejected_records'],
    ['sql', 'from webhook_events', '--format', 'md'],
    [
      'sql',
      `select '${steering.replaceAll('\u0000', '')}' as "${steering.replaceAll('\u0000', '')}"`,
    ],
    ['sql', `select ${steering.replaceAll('\u0000', '')}`],
    ['report', 'list'],
    ['report', 'check', 'odd'],
    ['report', 'run', 'emv', 'video', 'campaigns', 'removed', 'quality', '--format', 'csv'],
    ['report', 'run', 'emv', '--campaign', steering.replaceAll('\u0000', '')],
    ['webhooks', 'replay'],
  ];
  const steered: string[] = [];
  let printed = '';
  for (const args of commands) {
    const { stdout, stderr } = await job.run(...args);
    printed += stdout + stderr;
    for (const line of `${stdout}${stderr}`.split('\n')) {
      const found = controls.exec(line);
      if (found) steered.push(`${args.join(' ')}: ${JSON.stringify(line).slice(0, 200)}`);
    }
  }
  expect(steered).toEqual([]);
  expect(printed).toContain('␛[2J');
}, 240_000);
