import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(resolve(root, 'SECURITY.md'), 'utf8');
const named = [...new Set(page.match(/\btest\/[\w./-]+\.ts\b/g))];

it('names tests that there are', () => {
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
});

it('names for each defence the test that holds it', () => {
  const start = page.indexOf('## What is defended');
  const end = page.indexOf('## What is not defended');
  const claims = page.slice(start, end).match(/^- [^]*?(?=^- |^#|$(?![^]))/gm) ?? [];
  expect(claims.length).toBeGreaterThan(20);
  expect(claims.filter((claim) => !claim.includes('test/'))).toEqual([]);
});
