import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { builtUrl } from '../support/built-module.ts';

const formats = ['json', 'text'] as const;

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
}

/** Runs a script that has `log`, with its standard error redirected to `path`. */
function runLogging(format: (typeof formats)[number], path: string, script: string): Ended {
  const program = `
    const { createLog } = await import('${builtUrl('core/log.js')}');
    const log = createLog({ level: 'info', format: '${format}', color: false });
    ${script}`;
  const args = ['--input-type=module', '-e', program];
  const descriptor = openSync(path, 'a');
  const stdio = ['ignore', 'pipe', descriptor] as const;
  const { status, stdout } = spawnSync(process.execPath, args, {
    stdio: [...stdio],
    encoding: 'utf8',
  });
  closeSync(descriptor);
  return { status, stdout };
}

describe('foreign text in a log', () => {
  const said = 'a\u001b[2J\rb\u009b1mc\u202ed\u007f\ttab "quoted" \ud83d';
  const lineIn = (format: (typeof formats)[number]): string => {
    let text = '';
    const destination = { write: (line: string) => void (text += line) };
    createLog({ level: 'info', format, color: false, destination }).info({ said }, said);
    return text;
  };

  it('does not control the terminal', () => {
    const safe = 'a␛[2J␍b�1mc�d␡\ttab "quoted" �';
    const line = lineIn('text');
    expect(line).toContain(`INFO: ${safe} {"said":${JSON.stringify(safe)}}\n`);
  });

  it('is complete in JSON, and does not control the terminal either', () => {
    const line = lineIn('json');
    expect(line).toMatch(/^[\x20-\x7e]*\n$/);
    expect(JSON.parse(line)).toMatchObject({ said, msg: said });
  });
});

describe.each(formats)('a log in the format %s', (format) => {
  it.skipIf(!existsSync('/dev/full'))('survives a full disk', () => {
    const script = `
      for (const level of ['error', 'warn', 'info']) log[level]({ level }, 'a line');
      setImmediate(() => console.log('alive'));`;
    expect(runLogging(format, '/dev/full', script)).toEqual({ status: 0, stdout: 'alive\n' });
  });
});
