import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { loadJobs, minimalJobs, problemsOf } from '../support/jobs-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A folder with a file for each name. */
async function folderWith(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

async function keyWith(environment: NodeJS.ProcessEnv, env = ''): Promise<string | undefined> {
  const config = await loadJobs({ text: minimalJobs, env }, { environment });
  return config.workspaces.get('acme')?.apiKey.reveal();
}

const keyLocation = '4: workspaces.acme.api_key';

describe('a variable', () => {
  it.each([
    ['sk-live', 'sk-live'],
    ['sk-live\n', 'sk-live'],
    ['\uFEFFsk-live\r\n', 'sk-live'],
    [' sk live \n\n', ' sk live \n'],
  ])('is read from the file that NAME_FILE names: %j', async (text, value) => {
    const path = join(await folderWith({ key: text }), 'key');
    expect(await keyWith({ ACME_API_KEY_FILE: path })).toBe(value);
    expect(await keyWith({}, `ACME_API_KEY_FILE=${path}\n`)).toBe(value);
  });

  it('is read from the folder of credentials of systemd, or from the one source that is not empty', async () => {
    const folder = await folderWith({ ACME_API_KEY: 'sk-live\n' });
    expect(await keyWith({ CREDENTIALS_DIRECTORY: folder })).toBe('sk-live');
    const others = await folderWith({ key: 'sk-live' });
    expect(await keyWith({ CREDENTIALS_DIRECTORY: others, ACME_API_KEY: 'sk' })).toBe('sk');
    const path = join(others, 'key');
    expect(await keyWith({ ACME_API_KEY: ' ', ACME_API_KEY_FILE: path })).toBe('sk-live');
    expect(await keyWith({ ACME_API_KEY: 'sk', ACME_API_KEY_FILE: '' })).toBe('sk');
  });

  it('with two sources is refused with the names of both, and without their values', async () => {
    const folder = await folderWith({ ACME_API_KEY: 'sk-credential', other: 'sk-file' });
    const file = join(folder, 'other');
    const own = { ACME_API_KEY: 'sk-own' };
    const named = { ACME_API_KEY_FILE: file };
    const credentials = { CREDENTIALS_DIRECTORY: folder };
    const [variable, fileName, credential] = [
      'the variable ACME_API_KEY',
      `the file of ACME_API_KEY_FILE (${file})`,
      `the credential ${join(folder, 'ACME_API_KEY')}`,
    ];
    for (const [environment, sources] of [
      [{ ...named, ...credentials }, `${fileName} and ${credential}`],
      [{ ...own, ...named, ...credentials }, `${variable} and ${fileName} and ${credential}`],
    ] as const) {
      expect(await problemsOf(minimalJobs, { environment })).toEqual([
        `${keyLocation}: ACME_API_KEY is set more than once, by ${sources}; keep one of them`,
      ]);
    }
  });

  it.each([
    ['absent', 'cannot be read: ENOENT: no such file or directory'],
    ['.', 'cannot be read: EISDIR: illegal operation on a directory'],
    ['ACME_API_KEY', 'is empty'],
    ['binary', 'cannot be read: The encoded data was not valid'],
  ])(
    'whose file or credential cannot be used is refused with a remedy: %s',
    async (name, problem) => {
      const folder = await folderWith({ ACME_API_KEY: '\n', binary: Uint8Array.of(0xff, 0xfe, 0) });
      const path = join(folder, name);
      const refused = async (source: string, environment: NodeJS.ProcessEnv) => {
        const [message, ...others] = await problemsOf(minimalJobs, { environment });
        expect(others).toEqual([]);
        const start = `${keyLocation}: ${source} ${problem}`;
        expect(message?.slice(0, start.length)).toBe(start);
        expect(message).toMatch(
          /; write the value of ACME_API_KEY to it, and let this user read it$/,
        );
      };
      await refused(`the file of ACME_API_KEY_FILE (${path})`, { ACME_API_KEY_FILE: path });
      if (name === 'ACME_API_KEY')
        await refused(`the credential ${path}`, { CREDENTIALS_DIRECTORY: folder });
    },
  );

  it('has its relative file beside jobs.yaml', async () => {
    const { file, folder } = await loadJobs(minimalJobs);
    await writeFile(join(folder, 'key'), 'sk-live');
    const environment = { ACME_API_KEY_FILE: 'key' };
    const { workspaces } = await loadConfig({ file, environment, now: new Date() });
    expect(workspaces.get('acme')?.apiKey.reveal()).toBe('sk-live');
  });

  it('whose secret itself is taken for the name of a file does not show it', async () => {
    const environment = { ACME_API_KEY_FILE: 'sk-live-4711' };
    const [message, ...others] = await problemsOf(minimalJobs, { environment });
    expect(others).toEqual([]);
    expect(message).toMatch(/: the file of ACME_API_KEY_FILE cannot be read: ENOENT/);
    expect(message).not.toContain('4711');
  });
});
