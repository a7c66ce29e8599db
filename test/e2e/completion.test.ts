import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = resolve(import.meta.dirname, '../../dist/bin.js');

/** A folder with a jobs.yaml. */
async function configured(): Promise<string> {
  const cwd = await temporaryFolder();
  await copyFile(resolve(import.meta.dirname, '../../jobs.yaml'), join(cwd, 'jobs.yaml'));
  return cwd;
}

/** Returns what bash would offer for the last of the words. */
async function offeredByBash(lines: readonly (readonly string[])[]): Promise<string[][]> {
  const cwd = await configured();
  const { code, stdout, stderr } = await runCli(['completion', 'bash'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  await writeFile(join(cwd, 'script'), stdout);
  const asked = lines.map(
    (words) => `COMP_WORDS=('${program}' ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_postledger '${program}' '${words.at(-1)}' '${words.at(-2) ?? program}'
echo "\${COMPREPLY[*]}"`,
  );
  const script = ['source ./script', 'complete -p', ...asked].join('\n');
  const text = execFileSync('bash', ['--norc', '-c', script], { cwd, encoding: 'utf8' });
  const [registered, ...offered] = text.split('\n');
  expect(registered).toBe('complete -o default -F _postledger postledger');
  return offered.slice(0, lines.length).map((line) => line.split(/(?<!\\) /).filter(Boolean));
}

it('bash completes commands, options, words that are begun, and values with blanks', async () => {
  const [first, ...others] = await offeredByBash([
    [''],
    ['--quiet', 'report', 're'],
    ['run', '--profile', 'halden/H'],
  ]);
  expect(first).toEqual(expect.arrayContaining(['init', 'report', 'completion', '--config']));
  expect(first).not.toContain('complete');
  expect(others).toEqual([[], ['halden/Halden\\ Grid', 'halden/Halden\\ Careers']]);
});

it('offers commands, options after commands, and the values of options and arguments', async () => {
  const cwd = await configured();
  const offered = async (...words: string[]) => {
    const { code, stdout } = await runCli(['complete', '--', ...words], { cwd });
    expect(code).toBe(0);
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/\t.*/, '')]));
  };
  expect(await offered('re')).toEqual(['report', 'rebuild']);
  expect(await offered('schedule', '--print', '')).toEqual(['crontab', 'systemd', 'k8s']);
  expect(await offered('run', 'daily', '--wa')).toEqual(['--wait']);
  expect(await offered('run', '--from', '')).toEqual([]);
  expect(await offered('--config', 'none.yaml', 'run', 'd')).toEqual([]);
  expect(await offered('run', 'd')).toEqual(['daily']);
  expect(await offered('deliver', 'approve', '--job', 'd')).toEqual(['daily']);
  expect(await offered('posts', 'get', '--workspace', '')).toEqual(['halden']);
  expect(await offered('report', 'run', 'emv', '--format', 'csv,h')).toEqual(['csv,html']);
  expect(await offered('report', 'run', 'ov')).toEqual(['overview']);
  expect(await offered('report', 'run', 'emv', '--section', 'by_m')).toEqual(['by_month']);
  expect(await offered('report', 'new', 'e')).toEqual([]);
});

it('zsh and fish ask the same program, and other shells are refused', async () => {
  const cwd = await temporaryFolder();
  for (const shell of ['zsh', 'fish']) {
    const { stdout } = await runCli(['completion', shell], { cwd });
    expect(stdout).toContain('complete -- ');
  }
  const unknown = await runCli(['completion', 'csh'], { cwd });
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
  const { stdout } = await runCli(['complete', '--', 'webhooks', 's'], { cwd });
  expect(stdout).toBe(
    'serve\treceive events over HTTP, and show held mails to people with a link, until Ctrl-C\n',
  );
});

const hasZsh = spawnSync('zsh', ['-c', '']).error === undefined;

it.skipIf(!hasZsh)('zsh gets the name of a list of words with what they mean', async () => {
  const cwd = await configured();
  const { stdout } = await runCli(['completion', 'zsh'], { cwd });
  const asked = `compdef() { }
_describe() { print -rl -- "\${(P@)2}" }
${stdout}
words=(${program} run --profile halden/M) CURRENT=4
_postledger
words=(${program} webhooks s) CURRENT=3
_postledger`;
  expect(execFileSync('zsh', ['-f', '-c', asked], { cwd, encoding: 'utf8' })).toBe(
    'halden/Mariam Haddad\n' +
      'serve:receive events over HTTP, and show held mails to people with a link, until Ctrl-C\n',
  );
});
