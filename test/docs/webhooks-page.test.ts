import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/load-config.ts';
import { eventOutcomes } from '../../src/status/received-events.ts';
import { defaultSandbox } from '../../src/sandbox/identity.ts';
import { runSandbox } from '../sandbox/running-sandbox.ts';
import { runCli, servingAt, startCli, writeFiles } from '../support/cli.ts';
import { minimalJobs } from '../support/jobs-file.ts';
import { startTestReceiver, testSecret } from '../support/receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  readAssignment,
  readCurl,
  commentedLines,
  valueAt,
  type CurlCommand,
} from './shell-lines.ts';

const root = resolve(import.meta.dirname, '..', '..');
const page = await readFile(join(root, 'docs', 'webhooks.md'), 'utf8');

/** The example has a token and servers of its own. */
const tokenOrServer =
  /^(?:echo "WEBHOOK_TOKEN=|(?:SANDBOX_WEBHOOK_TOKEN=\S+ )?postledger (?:webhooks|sandbox) serve)/;

/** The page's shell lines, with what a comment says that they print. */
function linesWithAnswers(): { line: string; answer: string | null }[] {
  return commentedLines(page).map((text) => {
    const [, line = text, answer = null] = /^(.*?) +# (.*)$/.exec(text) ?? [];
    return { line, answer };
  });
}

function blockOf(language: string): string {
  const [, block = ''] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  return block;
}

function rowsOf(heading: string): string[][] {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`)).split('\n## ')[1] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
}

async function ask({ method, url, headers, body }: CurlCommand) {
  const response = await fetch(url, { method, headers, body });
  return { status: response.status, text: await response.text() };
}

/** The folder of the repository's example, with a receiver on it and a sandbox that sends to it. */
async function startExample() {
  const cwd = await temporaryFolder();
  await cp(join(root, 'jobs.yaml'), join(cwd, 'jobs.yaml'));
  await cp(join(root, '.env.example'), join(cwd, '.env'));
  await writeFile(join(cwd, 'events.ndjson'), blockOf('ndjson'));
  const serving = startCli(['webhooks', 'serve', '--port', '0', '--json'], { cwd });
  const { url } = await servingAt<{ url: string }>(serving);
  const webhook = { url: new URL(url), token: 'sandbox-webhook-token' };
  const { sandbox } = await runSandbox({ posts: 2000, webhook });
  const relocate = (line: string) =>
    line
      .replace('127.0.0.1:8787', new URL(url).host)
      .replace(`127.0.0.1:${defaultSandbox.port}`, `127.0.0.1:${sandbox.port}`);
  return { cwd, relocate };
}

describe('docs/webhooks.md', () => {
  it('has commands that do what it says, one after another', async () => {
    const { cwd, relocate } = await startExample();
    const variables = new Map<string, string>();
    const outputs = new Map<string, string>();
    for (const { line, answer } of linesWithAnswers()) {
      const assignment = readAssignment(line, variables);
      if (assignment?.curl) {
        const { text } = await ask(assignment.curl);
        variables.set(assignment.name, String(valueAt(assignment.path, JSON.parse(text))));
      } else if (assignment) {
        variables.set(assignment.name, relocate(assignment.value));
      } else if (line.startsWith('curl ')) {
        const { status, text } = await ask(readCurl(line, variables));
        if (answer === null) expect([line, status < 300]).toEqual([line, true]);
        else expect([line, `${status} ${text}`]).toEqual([line, answer]);
      } else if (!tokenOrServer.test(line)) {
        const [, piped, words = ''] = /^(?:cat (\S+) \| )?postledger (.*)$/.exec(line) ?? [];
        const input = piped === undefined ? {} : { input: await readFile(join(cwd, piped)) };
        const { code, stdout, stderr } = await runCli(words.split(' '), { cwd, ...input });
        expect([line, code, stderr.includes('ERROR')]).toEqual([line, 0, false]);
        outputs.set(words, stdout);
      }
    }
    expect(outputs.get('webhooks ingest events.ndjson')).toBe(blockOf('text'));
    expect(outputs.get('webhooks list')).toMatch(/test .*pending/);
    expect(outputs.get('webhooks list --type post.permanently_deleted')).toMatch(/applied/);
    expect(
      outputs.get('webhooks list --type invite.created --workspace halden --limit 0 --json'),
    ).toContain('"email": "ada@example.com"');
    expect(outputs.get('report run removed')).toBeDefined();
  });

  it('names every metric of the receiver and no other', async () => {
    const { metricsUrl } = await startTestReceiver({ webhooks: { metricsPort: 0 } });
    const exposed = await (await fetch(metricsUrl)).text();
    const names = [...exposed.matchAll(/^# TYPE (postledger_webhook_\w+) /gm)];
    const named = rowsOf('Monitor it').map(([, name]) => name);
    expect(named.toSorted()).toEqual(names.map(([, name]) => name).toSorted());
  });

  it('shows the actual form of /health', async () => {
    const { url } = await startTestReceiver({ webhooks: { tokens: [testSecret('t')] } });
    const health = (await (await fetch(new URL('/health', url))).json()) as object;
    const [, shown = ''] = /```json\n(\{\n {2}"status".*?)```/s.exec(page) ?? [];
    const keysOf = (value: unknown): unknown =>
      typeof value !== 'object' || value === null
        ? null
        : Object.fromEntries(Object.entries(value).map(([key, child]) => [key, keysOf(child)]));
    expect(keysOf(JSON.parse(shown))).toEqual(keysOf(health));
  });

  it('names every outcome', () => {
    expect(rowsOf('List events').map(([, outcome]) => outcome)).toEqual(eventOutcomes);
  });

  it('has valid settings', async () => {
    const blocks = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text);
    expect(blocks).toHaveLength(2);
    for (const text of blocks) {
      const cwd = await temporaryFolder();
      await writeFiles(cwd, { 'jobs.yaml': `${minimalJobs}${text}` });
      const now = new Date('2026-01-15T12:00:00Z');
      const { webhooks } = await loadConfig({ file: join(cwd, 'jobs.yaml'), environment: {}, now });
      const { token } = (parse(text) as { webhooks: { token: unknown } }).webhooks;
      expect(webhooks?.tokens.map(String)).toEqual([token].flat());
    }
  });
});
