import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The path and the help of every command, as the reference has them. */
const commands = readFileSync(
  resolve(import.meta.dirname, '../../docs/reference/commands.md'),
  'utf8',
)
  .split(/^## postledger ?/m)
  .slice(1)
  .map((part) => {
    const [path = ''] = part.split('\n');
    const flags = [...part.matchAll(/^ {2}(?:(-\w), )?(--[a-z-]+)/gm)];
    return { path, flags: flags.map(([, , long = '']) => long) };
  });

/** The commands directly below a path. */
function commandsBelow(path: string): string[] {
  const words = path === '' ? [] : path.split(' ');
  return commands
    .filter((command) => command.path !== '' && command.path !== path)
    .map((command) => command.path.split(' '))
    .filter((other) => other.length === words.length + 1 && other.slice(0, -1).join(' ') === path)
    .flatMap((other) => other.slice(-1));
}

async function scriptFor(shell: string): Promise<string> {
  const cwd = await temporaryFolder();
  const { code, stdout, stderr } = await runCli(['completion', shell], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const file = join(cwd, 'script');
  await writeFile(file, stdout);
  return file;
}

/** Returns what bash would offer for the last of the words. */
function offeredByBash(script: string, lines: readonly (readonly string[])[]): string[][] {
  const ask = lines.map(
    (words) => `COMP_WORDS=(postledger ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
COMPREPLY=()
_postledger postledger '${words.at(-1)}' '${words.at(-2) ?? 'postledger'}'
echo "\${COMPREPLY[*]}"`,
  );
  const text = execFileSync('bash', ['--norc', '-c', `source ${script}\n${ask.join('\n')}`], {
    encoding: 'utf8',
  });
  return text.split('\n').map((line) => line.split(' ').filter((word) => word !== ''));
}

it('bash completes every command and every option', async () => {
  const script = await scriptFor('bash');
  execFileSync('bash', ['-n', script]);
  const registered = execFileSync('bash', ['--norc', '-c', `source ${script}; complete -p`]);
  expect(String(registered)).toBe('complete -o default -F _postledger postledger\n');
  const paths = commands.map(({ path }) => path.split(' ').filter((word) => word !== ''));
  const offered = offeredByBash(
    script,
    paths.map((path) => [...path, '']),
  );
  expect(commands.length).toBeGreaterThan(40);
  for (const [index, { path, flags }] of commands.entries())
    expect(offered[index]).toEqual(expect.arrayContaining([...commandsBelow(path), ...flags]));
});

it('bash completes words that are begun, values of options, and commands after options', async () => {
  const lines = [
    ['re'],
    ['--quiet', 'report', 're'],
    ['--log-level', ''],
    ['schedule', '--print', ''],
    ['run', 'daily', '--wa'],
    ['run', '--from', ''],
    ['completion', ''],
  ];
  expect(offeredByBash(await scriptFor('bash'), lines).slice(0, lines.length)).toEqual([
    ['report', 'rebuild'],
    [],
    ['error', 'warn', 'info', 'debug'],
    ['crontab', 'systemd', 'k8s'],
    ['--wait'],
    [],
    expect.arrayContaining(['bash', 'zsh', 'fish']),
  ]);
});

it('refuses a shell that it does not know', async () => {
  const { code, stderr } = await runCli(['completion', 'csh'], { cwd: await temporaryFolder() });
  expect([code, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
});
