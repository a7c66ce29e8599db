import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { json, serve } from '../api/bad-service.ts';
import { cliEntry } from '../support/cli.ts';
import { makeWarehouse } from '../report/support/report-warehouse.ts';
import { jobFolder } from '../support/job-folder.ts';

const id = '6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11';
const at = '2026-01-15T12:00:00.000Z';
const details = {
  id,
  url: 'https://app.example.com/posts/1',
  title: 'Heat \u001b[2Jpumps',
  channels: ['LinkedIn'],
  status: 'Scheduled',
  publishDate: '2026-01-20',
  publishAt: '2026-01-20T08:00:00.000Z',
  updatedAt: at,
  createdAt: at,
  labels: [{ id, name: 'Event', color: '#5b21b6', backgroundColor: '#ede9fe' }],
};
const unscheduled = { ...details, status: 'Finalized' };
const ctrlC = '\u0003';
const ctrlD = '\u0004';

/** Runs a command on a terminal of 70 columns, whose user types `answer` when asked. */
async function onTerminal(
  args: readonly string[],
  answer: string,
  post: object = details,
  prepare: (folder: string) => Promise<void> = () => Promise.resolve(),
) {
  const { baseUrl, requests } = await serve((response, request) => {
    const body = request.method === 'POST' ? unscheduled : { post };
    json(200, body)(response, request);
  });
  const { folder } = await jobFolder({ url: baseUrl });
  await prepare(folder);
  const script = resolve(import.meta.dirname, 'pseudo-terminal.py');
  const typed = Buffer.from(answer).toString('hex');
  const command = [script, '70', typed, process.execPath, cliEntry, ...args];
  const env = { PATH: process.env['PATH'], TERM: 'xterm-256color' };
  const child = spawn('/usr/bin/python3', command, { cwd: folder, env });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, text, sent: requests.map(({ method }) => method) };
}

it('the result of a query is printed without terminal control sequences', async () => {
  const prepare = async (folder: string) => {
    await mkdir(join(folder, 'data'));
    await makeWarehouse(join(folder, 'data', 'postledger.duckdb'), {});
  };
  for (const format of ['csv', 'json', 'md', 'table']) {
    const args = ['--no-color', 'sql', "select 'x' || chr(27) || '[2J' || chr(155) || '1m'"];
    const { code, text } = await onTerminal([...args, '--format', format], '', {}, prepare);
    expect(text).toMatch(format === 'json' ? /x\\u001b\[2J\ufffd1m/ : /x␛\\?\[2J\ufffd1m/);
    expect(text).not.toMatch(/[\u001b\u009b]/);
    expect(code).toBe(0);
  }
});

describe('on a terminal, a command that changes something', () => {
  it('asks, names the post, and continues on yes', async () => {
    const { code, text, sent } = await onTerminal(['posts', 'unschedule', id], 'YES\r');
    expect(text.replaceAll(/\r?\n/g, '')).toContain(
      `Unschedule post ${id}, "Heat ␛[2Jpumps" (Scheduled, for 2026-01-20 08:00 +00:00)?`,
    );
    expect(text).toContain('Finalized');
    expect(text).not.toContain('\u001b[2J');
    expect({ code, sent }).toEqual({ code: 0, sent: ['GET', 'POST'] });
  });

  it.each(['\r', ctrlC, ctrlD])('changes nothing on %j', async (answer) => {
    const { code, text, sent } = await onTerminal(['posts', 'unschedule', id], answer);
    expect(text).toContain('not confirmed; nothing was changed');
    expect({ code, sent }).toEqual({ code: 1, sent: ['GET'] });
  });

  it.each([
    [
      ['approvals', 'request', id, '--user', id, '--due', '2026-12-01', '--blocking'],
      `Ask 1 person to approve post ${id}, "Heat ␛[2Jpumps", by 2026-12-01 23:59 +00:00, before it can be published?`,
      ['GET'],
    ],
    [['ideas', 'archive', id], `Put idea ${id} into the trash? It is deleted after 30 days.`, []],
    [['engagements', 'delete', id], `Delete auto-engagement ${id}? It cannot be restored.`, []],
  ])('says what it is about to do, and sends nothing on no: %j', async (...change) => {
    const [args, question, reads] = change;
    const { code, text, sent } = await onTerminal(args, 'n\r');
    expect(text.replaceAll(/\r?\n/g, '')).toContain(`${question} [y/N]`);
    expect(text).not.toContain('\u001b[2J');
    expect({ code, sent }).toEqual({ code: 1, sent: reads });
  });
});
