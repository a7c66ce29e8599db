import { execFileSync } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireApiKeys } from '../../src/config/select.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { UnsetSecretError } from '../../src/config/secret.ts';
import { selectJobs } from '../../src/config/select.ts';
import {
  inWorkspace,
  loadJobs,
  minimalJobs,
  problemsOf,
  wholeJobs,
  writeJobsFile,
} from '../support/jobs-file.ts';

const now = new Date('2026-01-15T12:00:00Z');

describe('secrets', () => {
  it('are taken from the environment before .env, and an empty one counts as unset', async () => {
    const env = '\uFEFFACME_API_KEY="from .env"\r\n';
    const keyWith = async (environment: NodeJS.ProcessEnv) => {
      const config = await loadJobs({ text: minimalJobs, env }, { environment });
      return config.workspaces.get('acme')?.apiKey.reveal();
    };
    expect(await keyWith({ ACME_API_KEY: 'from the environment' })).toBe('from the environment');
    expect(await keyWith({ ACME_API_KEY: '' })).toBe('from .env');
    expect(await keyWith({})).toBe('from .env');
  });

  it.each([
    ['abc#def', 'abc#def'],
    ['#abc', '#abc'],
    ['abc #def', 'abc'],
    ['abc\t# it\'s "odd"\r', 'abc'],
    [' a b#c  \r', 'a b#c'],
    ['"a #b" # c', 'a #b'],
    ["'a #b'#c", 'a #b'],
    ['"a\nB=c\\nd"', 'a\nB=c\nd'],
    ['`it\'s "it"`', `it's "it"`],
    ['"abc#d', '"abc#d'],
    ['abc="d"', 'abc="d"'],
    ['abc\\ndef', 'abc\\ndef'],
  ])('in .env keep a # within a word: %j is %j', async (given, expected) => {
    const env = `# ACME_API_KEY=no\nA="x"\n  export ACME_API_KEY=${given}\nZ='y'\n`;
    const config = await loadJobs({ text: minimalJobs, env });
    expect(config.workspaces.get('acme')?.apiKey.reveal()).toBe(expected);
  });

  it.each([
    ...['sk-live-4711', '4711', '[sk-live-4711]', '{ key: sk-live-4711 }', '$ACME_API_KEY'],
    ...['sk-live-${ACME_API_KEY}', '${ACME_API_KEY}4711', '"${ACME_API_KEY:-sk-live-4711}"'],
  ])('are refused as %s, and not shown', async (key) => {
    const text = minimalJobs.replace('${ACME_API_KEY}', () => key);
    expect(await problemsOf(text, { environment: { ACME_API_KEY: 'sk' } })).toEqual([
      '4: workspaces.acme.api_key: must be ${NAME}, the name of an environment variable; the secret itself must not be in the file',
    ]);
  });

  it.each(['slug: ${ACME_API_KEY}', 'linked_post_field: "a${ACME_API_KEY}"'])(
    'are not put where they would get into files and messages, as in %s',
    async (line) => {
      const options = { environment: { ACME_API_KEY: 'sk-live-4711' } };
      expect(await problemsOf(inWorkspace(line), options)).toEqual([
        `5: workspaces.acme.${line.split(':')[0] ?? ''}: \${ACME_API_KEY} holds a secret, and may be used only for keys, tokens and signing secrets`,
      ]);
    },
  );

  it.each([
    ['token: sk-live-4711', 'token'],
    ['token: ["${NEW}", sk-live-4711]', 'token[1]'],
    ['token: ["${NEW}", "${OLD}4711"]', 'token[1]'],
    ['token: []', 'token'],
    ['signing_secret: ["${NEW}", whsec_4711]', 'signing_secret[1]'],
  ])('are refused in webhooks as %s, and not shown', async (line, key) => {
    expect(await problemsOf(`${minimalJobs}webhooks: { ${line} }\n`)).toEqual([
      `11: webhooks.${key}: must be \${NAME}, the name of an environment variable; the secret itself must not be in the file`,
    ]);
  });

  it('of webhooks are needed only when they are revealed, and errors name their place in a list', async () => {
    const text = `${minimalJobs}webhooks:\n  token:\n    - \${NEW}\n    - \${OLD}\n`;
    const { webhooks } = await loadJobs({ text, env: 'NEW=0123456789abcdef\nOLD=\n' });
    expect(webhooks?.tokens.map(({ isSet }) => isSet)).toEqual([true, false]);
    expect(webhooks?.tokens[0]?.reveal()).toBe('0123456789abcdef');
    expect(() => webhooks?.tokens[1]?.reveal()).toThrow(
      new UnsetSecretError(
        'jobs.yaml:14: webhooks.token[1]: the environment variable OLD is not set; set it, or write it to .env beside the config',
      ),
    );
  });

  it.each(['|sk-live-4711', '"sk-live-4711', '*sk-live-4711', '!sk-live-4711 x'])(
    'are not shown as what is no valid YAML: %s',
    async (key) => {
      const problems = await problemsOf(minimalJobs.replace('${ACME_API_KEY}', key));
      expect(problems).not.toEqual([]);
      expect(problems.join()).not.toContain('4711');
    },
  );

  it('that are unset are all reported at once, with their places, when they are needed', async () => {
    const config = await loadJobs(wholeJobs);
    const thrown = (work: () => void) => {
      try {
        work();
      } catch (error) {
        return error;
      }
      return null;
    };
    expect(thrown(() => requireApiKeys(config))).toEqual(
      new UnsetSecretError(
        `2 API keys are missing; set them, or write them to ${config.folder}/.env
  jobs.yaml:11: workspaces.acme.api_key: the environment variable ACME_API_KEY is not set
  jobs.yaml:22: workspaces.other.api_key: the environment variable OTHER_API_KEY is not set`,
      ),
    );
    expect(thrown(() => requireApiKeys(config, selectJobs(config, ['weekly'])))).toEqual(
      new UnsetSecretError(
        `jobs.yaml:11: workspaces.acme.api_key: the environment variable ACME_API_KEY is not set; set it, or write it to .env beside the config`,
      ),
    );
    const environment = { ACME_API_KEY: 'a' };
    const withKey = await loadJobs(wholeJobs, { environment });
    expect(thrown(() => requireApiKeys(withKey, selectJobs(withKey, ['weekly'])))).toBeNull();
  });
});

describe('variables in other texts', () => {
  const text = minimalJobs.replace('https://social.example.com', '"${SCHEME}://${HOST}');
  const quoted = text.replace('/api/v1', '/api/v1"');

  it('are replaced by their values from the environment and .env', async () => {
    const environment = { SCHEME: 'https' };
    const config = await loadJobs({ text: quoted, env: 'HOST=api.example.com' }, { environment });
    expect(config.workspaces.get('acme')?.baseUrl).toBe('https://api.example.com/api/v1');
  });

  it('are refused if they are unset or not valid names', async () => {
    expect(await problemsOf(quoted, { environment: { SCHEME: 'https' } })).toEqual([
      '3: workspaces.acme.base_url: the environment variable ${HOST} is not set; set it, or write it to .env beside the config',
    ]);
    const odd = minimalJobs.replace('name: Acme', 'name: "${constructor} ${A:-b}"');
    expect(await problemsOf(odd)).toEqual([
      '6: workspaces.acme.profiles[0].name: the environment variable ${constructor} is not set; set it, or write it to .env beside the config',
    ]);
  });

  it('are shown in messages by name, never by value', async () => {
    const environment = { SCHEME: 'ftp', HOST: 'secret.example.com' };
    expect(await problemsOf(quoted, { environment })).toEqual([
      '3: workspaces.acme.base_url: must be an http or https address such as https://social.example.com/api/v1, got "${SCHEME}://${HOST}/api/v1"',
    ]);
  });

  it('need quotes within braces, where YAML would read a mapping', async () => {
    expect(await problemsOf(minimalJobs.replace('name: Acme', 'name: ${NAME}'))).toEqual([
      '6: not valid YAML: put ${…} in quotes where it is between { } or [ ]',
    ]);
  });

  it('cannot be read from an unreadable .env, which is reported', async () => {
    const file = await writeJobsFile({ text: minimalJobs });
    await mkdir(join(dirname(file), '.env'));
    await expect(loadConfig({ file, environment: {}, now })).rejects.toThrow(
      /\.env cannot be read: EISDIR/,
    );
  });
});

it('refuses a webhook token of fewer than 16 characters at its place without showing it', async () => {
  const text = `${minimalJobs}webhooks: { token: ["\${NEW}", "\${OLD}"] }\n`;
  expect(await problemsOf({ text, env: 'NEW=0123456789abcdef\nOLD=0123456789abcde' })).toEqual([
    '11: webhooks.token[1]: the environment variable OLD holds a token of 15 characters, which can be guessed; set one of 16 or more, for example from: openssl rand -hex 32',
  ]);
});

it('warns once about a .env and a data folder that others can read, with the chmod that fixes it', async () => {
  const file = await writeJobsFile({ text: minimalJobs, env: 'ACME_API_KEY=key' });
  const [env, data] = [join(dirname(file), '.env'), join(dirname(file), 'data')];
  const warnings = async () =>
    (await loadConfig({ file, environment: {}, now: new Date() })).warnings;
  await mkdir(data, { mode: 0o700 });
  expect(await warnings()).toEqual([]);
  await chmod(env, 0o640);
  expect(await warnings()).toEqual([]);
  await chmod(env, 0o644);
  await chmod(data, 0o755);
  const [warning = '', ...others] = await warnings();
  expect(others).toEqual([]);
  expect(warning).toBe(
    `others on this machine can read ${env} and ${data}; run: chmod o-rwx ${env} ${data}`,
  );
  execFileSync('/bin/sh', ['-c', warning.replace(/.*run: /, '')]);
  expect(await warnings()).toEqual([]);
});
