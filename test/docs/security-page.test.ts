import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(resolve(root, 'SECURITY.md'), 'utf8');
const named = [...new Set(page.match(/\btest\/[\w./-]+\.ts\b/g))];

it('SECURITY.md names only existing tests', () => {
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
});
