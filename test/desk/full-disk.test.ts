import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { canMount } from '../support/machine.ts';

const bench = resolve(import.meta.dirname, '../../bench/full-disk.mjs');

interface Summary {
  readonly commands: Readonly<Record<string, { readonly failed: number }>>;
}

const commands = ['load', 'report'];

/** The long count is bench/full-disk.mjs itself. */
describe.skipIf(!canMount)('on a disk that is full (wants a tmpfs of its own)', () => {
  it('each command says so wherever it fails, spoils nothing, and brings the same with room', async () => {
    const args = [bench, '--points', '2', '--seed', '3', '--commands', commands.join(',')];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const summary = JSON.parse(stdout) as Summary;
    expect(summary).toMatchObject({ problems: [] });
    expect(Object.keys(summary.commands)).toEqual(commands);
    for (const { failed } of Object.values(summary.commands)) expect(failed).toBeGreaterThan(0);
  });
});
