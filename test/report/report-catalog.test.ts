import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  builtInReports,
  examineReports,
  findReports,
  listReportNames,
} from '../../src/report/report-catalog.ts';
import { refuseInternal } from '../../src/commands/internal-reports.ts';
import { ReportDefinitionError } from '../../src/report/report-errors.ts';
import { loadJobs, top } from '../support/jobs-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { smallReport, writeReportFolder } from './support/report-folder.ts';

async function refusal(files: Record<string, string>, name = 'mine'): Promise<string> {
  const parent = await temporaryFolder();
  await writeReportFolder(parent, name, files);
  const error = await findReports([parent]).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ReportDefinitionError);
  return (error as Error).message.replaceAll(parent, '');
}

function withYaml(change: (yaml: string) => string): Record<string, string> {
  return { ...smallReport, 'report.yaml': change(smallReport['report.yaml']) };
}

const reports = await findReports([builtInReports]);
const builtIn = readdirSync(builtInReports, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

test('finds the built-in reports in their order', () => {
  const found = [...reports.values()];
  const ofClients = found.filter(({ first, internal }) => !first && !internal);
  const internal = found.filter((report) => report.internal);
  const namesOf = (reports: typeof found) => reports.map(({ name }) => name);
  expect(namesOf(found)).toEqual([
    'overview',
    ...namesOf(ofClients).toSorted(),
    ...namesOf(internal).toSorted(),
  ]);
  expect(namesOf(found).toSorted()).toEqual(builtIn);
});

describe('the user’s own folder', () => {
  test('adds reports, and files, hidden folders and a missing folder are ignored', async () => {
    const parent = await temporaryFolder();
    await writeReportFolder(parent, 'reach', smallReport);
    await mkdir(join(parent, '.git'));
    await mkdir(join(parent, '_drafts'));
    await writeFile(join(parent, 'notes.txt'), '');
    const folders = [builtInReports, parent, join(parent, 'none')];
    expect([...(await findReports(folders)).keys()].sort()).toEqual([...builtIn, 'reach'].sort());
    expect(await listReportNames(folders)).toEqual([...builtIn, 'reach'].sort());
  });

  test.each(['emv', 'removed'])('may not have a name of the product’s own: %s', async (name) => {
    const parent = await temporaryFolder();
    await writeReportFolder(parent, name, smallReport);
    await expect(findReports([builtInReports, parent])).rejects.toThrow(
      `${join(parent, name)}: ${join(builtInReports, name)} has this name already; rename yours`,
    );
  });

  test('is read once when it is the product’s own, under another name too', async () => {
    const alias = join(await temporaryFolder(), 'reports');
    await symlink(builtInReports, alias);
    expect((await findReports([builtInReports, alias])).size).toBe(builtIn.length);
  });
});

describe('entries that are not readable files', () => {
  const spoil: Record<string, (path: string) => Promise<unknown>> = {
    'a link to a device': (path) => symlink('/dev/zero', path),
    'a pipe': (path) => promisify(execFile)('mkfifo', [path]),
    'a folder': (path) => mkdir(path),
    'a link to nothing': (path) => symlink('/nowhere', path),
    'a file of more than 1 MiB': (path) => writeFile(path, ' '.repeat(1_048_577)),
  };
  test.each(Object.keys(spoil))('%s affects only its report, and is named', async (what) => {
    for (const name of what === 'a link to nothing'
      ? ['types.sql']
      : ['types.sql', 'report.yaml']) {
      const parent = await temporaryFolder();
      await writeReportFolder(parent, 'good', smallReport);
      await writeReportFolder(parent, 'bad', smallReport);
      const path = join(parent, 'bad', name);
      await rm(path);
      await spoil[what]?.(path);
      const { reports, errors } = await examineReports([parent]);
      expect([...reports.keys()]).toEqual(['good']);
      expect([...errors.values()].map(({ message }) => message)).toEqual([
        expect.stringMatching(/: this (is no regular file|is larger than 1 MiB|cannot be read)/),
      ]);
      expect([...errors.values()][0]?.faults).toMatchObject([{ path }]);
    }
  });
});

describe('refuses, with the place,', () => {
  test('every fault of report.yaml at once', async () => {
    const yaml = smallReport['report.yaml']
      .replace('title: Reach\n', 'titel: Reach\n')
      .replace('format: count', 'format: counts')
      .replace('type: integer', 'type: whole');
    expect((await refusal({ ...smallReport, 'report.yaml': yaml })).split('\n')).toEqual([
      '/mine/report.yaml:1: title: Invalid input: expected string, received undefined',
      "/mine/report.yaml:4: parameters.least.type: Invalid discriminator value. Expected 'text' | 'integer' | 'number' | 'boolean' | 'date'",
      expect.stringMatching(
        /^\/mine\/report.yaml:12: sections\.0\.columns\.impressions\.format: Invalid option: expected one of "text"/,
      ),
      '/mine/report.yaml:1: Unrecognized key: "titel"',
    ]);
  });

  test('YAML that cannot be parsed, and a repeated key', async () => {
    expect(
      await refusal(withYaml((yaml) => yaml.replace('title: Reach', 'title: [Reach'))),
    ).toMatch(/^\/mine\/report\.yaml:2: /);
    expect(await refusal(withYaml((yaml) => `${yaml}title: Again\n`))).toBe(
      '/mine/report.yaml:13: not valid YAML: the key title is repeated',
    );
  });

  test('a repeated section', async () => {
    const twice = withYaml((yaml) => `${yaml}  - { name: types, title: T, description: D }\n`);
    expect(await refusal(twice)).toBe(
      '/mine/report.yaml:13: sections.1.name: the section types appears twice; give each section its own name',
    );
  });

  test('a section of its own without a title', async () => {
    expect(
      await refusal(withYaml((yaml) => yaml.replace(/ +title: .*\n(?= +description)/, ''))),
    ).toMatch(
      /^\/mine\/report\.yaml:\d+: sections\.0\.title: missing; only a section `by` a dimension, or one of posts, left_out, /,
    );
  });

  test('a section without its SQL', async () => {
    expect(await refusal({ 'report.yaml': smallReport['report.yaml'] })).toBe(
      '/mine/types.sql: missing: report.yaml has a section types',
    );
  });

  test('SQL that belongs to no section', async () => {
    expect(await refusal({ ...smallReport, 'types.findings.sql': 'select 1' })).toBe(
      '/mine/types.findings.sql: belongs to no section of report.yaml; rename or remove it',
    );
  });

  test('totals without _total.sql', async () => {
    expect(await refusal(withYaml((yaml) => `${yaml}    total: All\n`))).toBe(
      '/mine/_total.sql: missing: report.yaml asks for totals',
    );
  });

  test('a folder without report.yaml', async () => {
    expect(await refusal({ 'types.sql': '' })).toBe(
      '/mine: there is no report.yaml; write one, or move the folder out of ',
    );
  });

  test('a name that is not a portable file name', async () => {
    expect(await refusal(smallReport, 'My Report')).toBe(
      "/My Report: a report's name has only a-z, 0-9, _ and -; rename the folder",
    );
  });
});

describe('an internal report', () => {
  const entries = (entry: string) =>
    `${top('clients:\n  fjord: { name: Fjord AS, profiles: [acme/Acme] }')}    reports:\n      - { ${entry} }\n`;

  test.each([...reports.values()].filter(({ internal }) => internal).map(({ name }) => name))(
    '%s is made for clients only where the entry allows it',
    async (report) => {
      const config = await loadJobs(entries(`report: ${report}, period: all, for: each`));
      await expect(refuseInternal(config)).rejects.toThrow(
        new RegExp(
          `jobs\\.\\w+\\.reports\\[0\\]\\.for.* ${report} is an internal report.*internal: allow`,
        ),
      );
      for (const entry of [
        `report: ${report}, period: all, for: each, internal: allow`,
        `report: ${report}, period: all`,
      ]) {
        await refuseInternal(await loadJobs(entries(entry)));
      }
    },
  );
});
