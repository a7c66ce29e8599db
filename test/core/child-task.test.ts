import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type * as childTask from '../../src/core/child-task.ts';
import type { TaskOptions } from '../../src/core/child-task.ts';
import type * as errors from '../../src/core/errors.ts';
import { systemClock, type Clock } from '../../src/core/clock.ts';
import type * as childWorks from '../support/child-works.ts';
import { builtUrl, compiledUrl } from '../support/built-module.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

type Core = typeof childTask & typeof errors;

/** The built modules: a process of its own runs no TypeScript. */
async function compiled(): Promise<Core & { works: string; path: string }> {
  return {
    ...((await import(builtUrl('core/child-task.js'))) as Core),
    ...((await import(builtUrl('core/errors.js'))) as Core),
    works: await compiledUrl('child-works.ts'),
    path: builtUrl('core'),
  };
}

const generous = { timeoutMs: 60_000, memoryBytes: 2e9 };

function options(changes: Partial<TaskOptions> = {}): TaskOptions {
  return {
    what: 'the work',
    limits: generous,
    remedies: { time: 'give it more time', memory: 'give it more memory' },
    scratch: [],
    errors: [],
    clock: systemClock,
    signal: new AbortController().signal,
    ...changes,
  };
}

/** What a work ends with. */
async function outcomeOf(
  work: keyof typeof childWorks | 'noSuchWork',
  input: unknown = null,
  changes: Partial<TaskOptions> = {},
): Promise<unknown> {
  const { runChildTask, works } = await compiled();
  return runChildTask({ module: works, work, input }, options(changes)).catch(
    (error: unknown) => error,
  );
}

async function pidIn(file: string): Promise<number> {
  await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
  return Number(await readFile(file, 'utf8'));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a task', () => {
  it('is given its input and gives its output as they are', async () => {
    const data = {
      big: 2n ** 70n,
      map: new Map([['a', [null, undefined, 1.5]]]),
      text: '\u{1F680}',
    };
    expect(await outcomeOf('answerWith', data)).toEqual(data);
  });

  it('sees nothing of the environment but what programs need to run', async () => {
    vi.stubEnv('ACME_API_KEY', 'sk-live-4711');
    vi.stubEnv('HTTPS_PROXY', 'http://user:pass@proxy.example:3128');
    vi.stubEnv('NODE_OPTIONS', '--no-deprecation');
    vi.stubEnv('TZ', 'Europe/Berlin');
    onTestFinished(() => void vi.unstubAllEnvs());
    const seen = Object.keys((await outcomeOf('readEnvironment')) as object);
    expect(seen).toContain('TZ');
    const passed = ['PATH', 'TZ', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT'];
    const channel = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'];
    expect(seen.filter((name) => ![...passed, ...channel].includes(name))).toEqual([]);
  });

  it('fails with the error that it throws, of the class that it had', async () => {
    const { runChildTask, works, UsageError } = await compiled();
    const task = { module: works, work: 'fail', input: 'usage' };
    const failed = runChildTask(task, options({ errors: [UsageError] }));
    await expect(failed).rejects.toThrow(new UsageError('--set x: no such thing'));
  });

  it('fails with the message, the code and the fields of an error of another class', async () => {
    expect(await outcomeOf('fail', 'placed')).toMatchObject({
      name: 'PlacedError',
      message: 'line 3 is wrong',
      code: 'PLACED',
      recovery: 'fix-input',
      exitCode: 1,
      places: [{ line: 3, column: null }],
    });
  });

  it('fails with what the machine refused', async () => {
    expect(await outcomeOf('fail', 'system')).toMatchObject({
      code: 'ENOENT',
      syscall: 'open',
      path: '/proc/none',
    });
  });

  it('fails with the stack of a bug', async () => {
    const error = (await outcomeOf('fail', 'bug')) as Error;
    expect(error.message).toBe('x is not a function');
    expect(error.stack).toContain('child-works');
  });

  it('fails where it cannot be found', async () => {
    expect(String(await outcomeOf('noSuchWork'))).toMatch(/child-works\.mjs has no noSuchWork$/);
  });
});

describe('a task is given up', () => {
  it('when it takes too long, also when it lets nothing through to it', async () => {
    const pidFile = join(await temporaryFolder(), 'pid');
    const timeoutMs = 2000;
    const sleep: Clock['sleep'] = async (ms, signal) => {
      // however slowly it starts
      if (ms === timeoutMs) await pidIn(pidFile);
      else await systemClock.sleep(ms, signal);
    };
    const limits = { ...generous, timeoutMs };
    const error = await outcomeOf('spinForEver', pidFile, {
      limits,
      clock: { ...systemClock, sleep },
    });
    expect(error).toMatchObject({
      code: 'TIME_LIMIT',
      message: 'the work was given up after 2 seconds; make it smaller, or give it more time',
    });
    expect(isAlive(await pidIn(pidFile))).toBe(false);
  });

  it.each(['buffers', 'objects'])('when it takes too much memory, in %s', async (kind) => {
    const limits = { ...generous, memoryBytes: 300e6 };
    expect(await outcomeOf('takeMemory', kind, { limits })).toMatchObject({
      code: 'MEMORY_LIMIT',
      message:
        'the work was given up for needing more than 300 MB of memory; make it smaller, or give it more memory',
    });
  });

  it('when it is to stop', async () => {
    const pidFile = join(await temporaryFolder(), 'pid');
    const controller = new AbortController();
    const outcome = outcomeOf('goOnForEver', pidFile, { signal: controller.signal });
    const pid = await pidIn(pidFile);
    controller.abort();
    expect(await outcome).toMatchObject({ code: 'INTERRUPTED', message: 'the work was stopped' });
    expect(isAlive(pid)).toBe(false);
  });

  it('when it was to stop before it began', async () => {
    const error = await outcomeOf('goOnForEver', '/dev/null', { signal: AbortSignal.abort() });
    expect(error).toMatchObject({ code: 'INTERRUPTED' });
  });

  it.each([
    ['dieBy', 'SIGSEGV', 'SIGSEGV: the last words'],
    ['dieBy', 'SIGABRT', 'SIGABRT: the last words'],
    ['leave', null, 'exit code 7'],
  ] as const)('when its process ends, by %s %s', async (work, input, how) => {
    expect(await outcomeOf(work, input)).toMatchObject({
      code: 'TASK_CRASH',
      message: `the work brought its process down (${how}); nothing was changed, make it simpler`,
    });
  });

  it('and its folders with it, when the process that waits for it is killed', async () => {
    const { path, works } = await compiled();
    const folder = await temporaryFolder();
    const pidFile = join(folder, 'pid');
    const scratch = join(folder, 'scratch');
    await mkdir(scratch);
    await writeFile(join(scratch, 'spilled'), 'x');
    const parent = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { runChildTask } from '${path}/child-task.js';
         import { systemClock as clock } from '${path}/clock.js';
         await runChildTask(
           { module: '${works}', work: 'goOnForEver', input: ${JSON.stringify(pidFile)} },
           { what: 'it', limits: ${JSON.stringify(generous)}, remedies: {}, errors: [], clock,
             scratch: [${JSON.stringify(scratch)}], signal: new AbortController().signal });`,
      ],
      { stdio: 'inherit' },
    );
    const pid = await pidIn(pidFile);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await until(() => !isAlive(pid));
    await expect(access(scratch)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('by its parent alone: a terminal sends Ctrl-C to both', async () => {
    const file = join(await temporaryFolder(), 'file');
    const outcome = outcomeOf('waitForEnd', file);
    const pid = await pidIn(file);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    await writeFile(file, 'end');
    expect(await outcome).toBe('it goes on');
  });
});
