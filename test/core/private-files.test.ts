import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  publishFile,
  publishFolder,
  withPrivateFolder,
  writeOutput,
} from '../../src/core/private-files.ts';
import { InterruptedError } from '../../src/core/errors.ts';
import { builtUrl } from '../support/built-module.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Starts a process that has a private folder with a file in `parent` until it is killed. */
async function startOwner(parent: string) {
  const program = `
    import { writeFileSync } from 'node:fs';
    import { withPrivateFolder } from '${builtUrl('core/private-files.js')}';
    await withPrivateFolder(${JSON.stringify(parent)}, async (folder) => {
      writeFileSync(folder + '/report.html', '');
      console.log('ready');
      await new Promise(() => setInterval(() => undefined, 60_000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

it('a private folder is its owner’s alone, and nothing of it is left', async () => {
  const parent = await temporaryFolder();
  const mode = await withPrivateFolder(parent, async (folder) => (await stat(folder)).mode);
  expect(mode & 0o777).toBe(0o700);
  expect(await readdir(parent)).toEqual([]);
});

it('a finished file or folder takes the place of the one before, for all whom the umask lets read it', async () => {
  const parent = await temporaryFolder();
  const out = join(parent, 'out', '2026');
  for (const words of ['first', 'second']) {
    await withPrivateFolder(parent, async (folder) => {
      await writeFile(join(folder, 'emv.html'), words, { mode: 0o600 });
      await mkdir(join(folder, 'made', 'emv'), { recursive: true, mode: 0o700 });
      await writeFile(join(folder, 'made', 'emv', `${words}.csv`), words, { mode: 0o600 });
      await publishFile(join(folder, 'emv.html'), join(out, 'emv.html'));
      await publishFolder(join(folder, 'made'), join(out, 'data'));
    });
  }
  expect((await readdir(parent, { recursive: true })).sort()).toEqual([
    'out',
    ...['', '/data', '/data/emv', '/data/emv/second.csv', '/emv.html'].map(
      (path) => `out/2026${path}`,
    ),
  ]);
  expect(await readFile(join(out, 'emv.html'), 'utf8')).toBe('second');
  const modeOf = async (path: string) =>
    ((await stat(join(parent, path))).mode & 0o777).toString(8);
  const modes = [
    'out',
    'out/2026',
    'out/2026/emv.html',
    'out/2026/data/emv',
    'out/2026/data/emv/second.csv',
  ];
  expect(await Promise.all(modes.map(modeOf))).toEqual(['755', '755', '644', '755', '644']);
});

it('a file for people goes to where links lead, which need not be there yet', async () => {
  const parent = await temporaryFolder();
  const write = (name: string, text: string) =>
    writeOutput(join(parent, name), (draft) => writeFile(draft, text));
  await mkdir(join(parent, 'shared'));
  await symlink('shared', join(parent, 'folder'));
  await symlink('shared/later', join(parent, 'later'));
  await symlink('second.csv', join(parent, 'first.csv'));
  await symlink(join(parent, 'shared/emv.csv'), join(parent, 'second.csv'));
  for (const name of ['first.csv', 'folder/value.csv', 'later/2026/emv.csv']) {
    await write(name, 'before');
    await write(name, name);
  }
  expect(await readFile(join(parent, 'shared/emv.csv'), 'utf8')).toBe('first.csv');
  expect((await readdir(join(parent, 'shared'), { recursive: true })).sort()).toEqual([
    'emv.csv',
    'later',
    'later/2026',
    'later/2026/emv.csv',
    'value.csv',
  ]);
  for (const name of ['first.csv', 'second.csv', 'folder', 'later'])
    expect((await lstat(join(parent, name))).isSymbolicLink()).toBe(true);

  await symlink('/media/not-mounted/emv.csv', join(parent, 'gone.csv'));
  await expect(write('gone.csv', '')).rejects.toThrow(
    /gone\.csv is a link to \/media\/not-mounted\/emv\.csv, whose folder is missing; mount its disk/,
  );
  await symlink('round', join(parent, 'round'));
  await expect(write('round', '')).rejects.toMatchObject({ code: 'ELOOP' });
});

it('a pipe is written to and stays one, however late its reader comes and however soon it goes', async () => {
  const pipe = join(await temporaryFolder(), 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);
  const text = 'line\n'.repeat(100_000);
  const written = writeOutput(pipe, (draft) => writeFile(draft, text));
  const read = async (...command: [string, ...string[]]) => {
    const [program, ...args] = command;
    const child = spawn(program, args);
    return (await child.stdout.toArray()).join('');
  };
  expect(await read('cat', pipe)).toBe(text);
  await written;
  const [first] = await Promise.all([
    read('head', '-n1', pipe),
    writeOutput(pipe, (draft) => writeFile(draft, text)),
  ]);
  expect(first).toBe('line\n');
  expect((await stat(pipe)).isFIFO()).toBe(true);

  const stop = new AbortController();
  const stuck = spawn('sh', ['-c', 'exec sleep 60 < "$1"', 'sh', pipe]);
  onTestFinished(() => void stuck.kill());
  const options = { signal: stop.signal };
  const stopped = writeOutput(pipe, (draft) => writeFile(draft, text), options);
  setTimeout(() => stop.abort(), 200);
  await expect(stopped).rejects.toThrow(InterruptedError);
});

it('the private folder of a killed process is removed by the next process, and no folder of a live one', async () => {
  const parent = await temporaryFolder();
  const [killed] = [await startOwner(parent), await startOwner(parent)];
  const before = await readdir(parent);
  expect(before).toHaveLength(4);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  // it was killed between the moves of an earlier export and of its own
  for (const name of await readdir(parent))
    if (!name.endsWith('.lock')) await mkdir(join(parent, name, `${name}-export.before`));
  await withPrivateFolder(parent, async (folder) => {
    const others = (await readdir(parent)).filter((name) => !name.startsWith(basename(folder)));
    const restored = others.filter((name) => name.endsWith('-export'));
    expect(restored).toHaveLength(1);
    expect(others).toHaveLength(3);
    expect(before).toEqual(expect.arrayContaining(others.filter((name) => name !== restored[0])));
  });
});
