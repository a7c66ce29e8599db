import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { LoadSummary } from '../../../src/load/load-summary.ts';
import { readStatus } from '../../../src/status/status.ts';
import { buildReport } from '../../../src/report/report-builder.ts';
import { builtInReports, findReports } from '../../../src/report/report-catalog.ts';
import type { ReportDocument } from '../../../src/report/report-document.ts';
import {
  allPosts,
  reportConfigOf,
  type ReportParameters,
} from '../../../src/report/report-parameters.ts';
import { openReportSession } from '../../../src/report/report-session.ts';
import type { Config } from '../../../src/config/config.ts';
import { LakeServers } from '../../support/lake-servers.ts';
import { configured, eventsOf, keys, storeDay, tablesOf } from '../../support/lake-story.ts';
import { uuid } from '../../support/made-records.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { storeEvents } from '../../support/stored-events.ts';
import { historyOf, load } from '../../support/stored-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const clock = new ManualClock();
const reports = await findReports([builtInReports]);

const servers = await LakeServers.start();
afterAll(() => servers.stop());

/** The order of warnings from several shards is not defined. */
function inOrder(summary: LoadSummary): LoadSummary {
  const keyOf = (warning: object) => JSON.stringify(warning);
  return {
    ...summary,
    warnings: summary.warnings.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  };
}

async function documentsOf(
  config: Config,
  parameters: Partial<ReportParameters> = {},
  names: readonly string[] = [...reports.keys()],
): Promise<ReportDocument[]> {
  const session = await openReportSession(reportConfigOf(config, null, clock.now()), {
    ...allPosts,
    ...parameters,
  });
  try {
    const documents: ReportDocument[] = [];
    for (const name of names) {
      const definition = reports.get(name);
      if (definition) documents.push(await buildReport(session, definition));
    }
    return documents;
  } finally {
    session.close();
  }
}

function scopeOf(...workspaces: string[]): Pick<ReportParameters, 'scope'> {
  return {
    scope: workspaces.map((workspace) => ({
      workspace,
      id: uuid(keys.indexOf(workspace) * 10 + 1),
    })),
  };
}

const scope = { ...scopeOf('bolt', 'echo'), asOf: '2026-01-02' };

/** Loads days into both. @returns the tables, which are the same */
async function loadDays(file: Config, lake: Config, days: readonly number[]): Promise<object> {
  for (const day of days) {
    await storeDay(file, day);
    await storeEvents(file, eventsOf(day));
  }
  const loaded = await load(file);
  expect(inOrder(await load(lake))).toEqual(inOrder(loaded));
  const tables = await tablesOf(file);
  expect(await tablesOf(lake)).toEqual(tables);
  return tables;
}

test('a lake in a bucket has the tables and reports of a file, load by load, also once it was lost and its catalog and data were restored', async () => {
  const file = configured(await temporaryFolder());
  const lake = { ...file, warehouse: servers.newLake('s3') };
  const { database } = lake.warehouse;
  const before = await loadDays(file, lake, [1]);
  const dump = await servers.dump(database);
  // what a load writes after the dump is in no snapshot of it
  const after = await loadDays(file, lake, [2, 3]);
  expect(after).not.toEqual(before);

  expect(await documentsOf(lake)).toEqual(await documentsOf(file));
  expect(await documentsOf(lake, scope, ['emv'])).toEqual(await documentsOf(file, scope, ['emv']));
  const status = await readStatus(file, clock);
  const measured = expect.any(Number) as number;
  expect(await readStatus(lake, clock)).toEqual({
    ...status,
    warehouse: { path: lake.warehouse.data, bytes: measured },
    free_bytes: measured,
  });
  expect(await historyOf(lake, keys)).toEqual(await historyOf(file, keys));

  const data = join(servers.folder, 's3', 'lakes', database);
  const backup = join(await temporaryFolder(), 'data');
  await cp(data, backup, { recursive: true });
  servers.sql('postgres', `drop database ${database} with (force)`);
  await rm(data, { recursive: true });
  await servers.restore(database, dump);
  await cp(backup, data, { recursive: true });
  expect(await tablesOf(lake)).toEqual(before);
  await load(lake);
  expect(await tablesOf(lake)).toEqual(after);
  expect(await load(lake)).toMatchObject({ responses: 0, isPublished: false });
});
