import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { definitionJsonSchema } from '../../src/report/definition-schema.ts';
import { undescribedKeys } from '../support/undescribed-keys.ts';
import { smallReport } from './support/report-folder.ts';

const root = resolve(import.meta.dirname, '..', '..');
// days have a pattern beside their format
const ajv = new Ajv({ strict: true, allowUnionTypes: true, formats: { date: true } });
const validate = ajv.compile(definitionJsonSchema());
const yaml = smallReport['report.yaml'];

describe('the JSON Schema of report.yaml', () => {
  it('holds for the built-in reports and for what `report new` writes', async () => {
    const reports = (await readdir(join(root, 'reports'), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join('reports', name));
    for (const folder of [...reports, 'src/report/schema/starter']) {
      const text = await readFile(join(root, folder, 'report.yaml'), 'utf8');
      expect([folder, validate(parse(text, { merge: true })), validate.errors]).toEqual([
        folder,
        true,
        null,
      ]);
    }
  });

  it.each([
    ['an unknown key', yaml.replace('title: Reach', 'titel: Reach')],
    ['an unknown format', yaml.replace('format: count', 'format: counts')],
    ['a parameter of an unknown type', yaml.replace('type: integer', 'type: whole')],
    ['a default of another type', yaml.replace('default: 0', 'default: none')],
    ['a chart without what it draws', `${yaml}    chart: { kind: bars, x: type }\n`],
    ['no section', yaml.slice(0, yaml.indexOf('sections:'))],
  ])('does not hold for %s', (_, text) => {
    expect(validate(parse(yaml))).toBe(true);
    expect(validate(parse(text))).toBe(false);
  });

  it('describes every key', () => {
    expect(undescribedKeys(definitionJsonSchema())).toEqual([]);
  });
});
