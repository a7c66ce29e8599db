import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { jobsJsonSchema } from '../../src/config/jobs-schema.ts';
import { minimalJobs } from '../support/jobs-file.ts';
import { undescribedKeys } from '../support/undescribed-keys.ts';

const root = resolve(import.meta.dirname, '..', '..');
const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(jobsJsonSchema());

async function readYaml(...path: string[]): Promise<unknown> {
  return parse(await readFile(join(root, ...path), 'utf8'));
}

describe('the JSON Schema of jobs.yaml', () => {
  it('accepts the example and the files that init writes', async () => {
    expect([validate(await readYaml('jobs.yaml')), validate.errors]).toEqual([true, null]);
    const starter = await readYaml('src/config/schema/starter/jobs.yaml');
    expect([validate(starter), validate.errors]).toEqual([true, null]);
  });

  it.each([
    ['an unknown key', minimalJobs.replace('windows', 'window')],
    ['a missing key', minimalJobs.replace('    profiles: [acme/*]\n', '')],
    ['a literal secret', minimalJobs.replace('${ACME_API_KEY}', 'sk-live-1')],
    ['a number in quotes', minimalJobs.replace('400', '"400"')],
    ['a window of no days', minimalJobs.replace('400', '400, size_days: 0')],
    ['a profile id that is no UUID', minimalJobs.replace('6f1c7a52', '6f1c')],
    ['an unknown period', `${minimalJobs}    reports: [{ report: emv, period: last_moth }]\n`],
    ['a job with a space in its name', minimalJobs.replace('daily:', 'each day:')],
  ])('does not hold for %s', (_, text) => {
    expect(validate(parse(minimalJobs))).toBe(true);
    expect(validate(parse(text))).toBe(false);
  });

  it('accepts variables in place of texts with a pattern', () => {
    const text = minimalJobs.replace('{ days: 400 }', '{ start: "${FIRST_DAY}" }');
    expect(validate(parse(text))).toBe(true);
  });

  it('describes every key', () => {
    expect(undescribedKeys(jobsJsonSchema())).toEqual([]);
  });
});
