import { afterAll, beforeAll, expect, test } from 'vitest';
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

let servers: LakeServers;
beforeAll(async () => {
  servers = await LakeServers.start();
});
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

const scopes = [scopeOf('acme'), { ...scopeOf('bolt', 'echo'), asOf: '2026-01-02' }];

test('a lake has the tables and reports of a file, load by load', async () => {
  const file = configured(await temporaryFolder());
  const lake = { ...file, warehouse: servers.newLake('disk') };
  for (const days of [[1], [2, 3]]) {
    for (const day of days) {
      await storeDay(file, day);
      await storeEvents(file, eventsOf(day));
    }
    const loaded = await load(file);
    expect(inOrder(await load(lake))).toEqual(inOrder(loaded));
    expect(await tablesOf(lake)).toEqual(await tablesOf(file));
  }
  expect(await documentsOf(lake)).toEqual(await documentsOf(file));
  for (const parameters of scopes)
    expect(await documentsOf(lake, parameters, ['emv'])).toEqual(
      await documentsOf(file, parameters, ['emv']),
    );
  const status = await readStatus(file, clock);
  const measured = expect.any(Number) as number;
  expect(await readStatus(lake, clock)).toEqual({
    ...status,
    warehouse: { path: lake.warehouse.data, bytes: measured },
    free_bytes: measured,
  });
  expect(await historyOf(lake, keys)).toEqual(await historyOf(file, keys));
  expect(await load(lake)).toMatchObject({ responses: 0, isPublished: false });
});
