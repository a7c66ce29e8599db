import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { defaultLimits, moreByFlags } from '../../src/pipeline/limits.ts';
import { renderPage, renderReport } from '../../src/pipeline/report-output.ts';
import { findReports } from '../../src/report/report-catalog.ts';
import { allPosts } from '../../src/report/report-parameters.ts';
import { plainCsv } from '../../src/report/section-query.ts';
import { smallReport, writeReportFolder } from '../report/support/report-folder.ts';
import { makeWarehouse, reportConfig } from '../report/support/report-warehouse.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a report that fails in a way that nobody foresaw is an error of its own', async () => {
  const folder = await temporaryFolder();
  const warehouse = join(folder, 'warehouse.duckdb');
  await makeWarehouse(warehouse, { linkedin_posts: [{ linkedin_post_id: 'a' }] });
  await writeReportFolder(folder, 'reach', smallReport);
  const sound = (await findReports([folder])).get('reach');
  if (!sound) throw new Error('the report was not found');
  const broken = { ...sound, name: 'broken', sections: [null] } as unknown as typeof sound;
  const tools = {
    clock: systemClock,
    signal: new AbortController().signal,
    limits: defaultLimits,
    remedies: moreByFlags,
  };
  const source = { config: reportConfig(warehouse), parameters: allPosts, set: {} };
  const style = {
    formats: ['table'] as const,
    browser: null,
    csv: plainCsv,
    printsAppendix: false,
    terminal: { width: 80, color: false },
  };
  const request = { ...source, ...style, folder };
  expect(await renderReport(broken, request, tools)).toMatchObject({
    error: { code: 'REPORT_FAILED' },
  });
  expect(await renderReport(sound, request, tools)).toMatchObject({
    text: expect.stringContaining('Reach') as unknown,
  });
  await expect(renderPage(broken, source, tools)).rejects.toThrow(
    /^the report broken could not be built \(Cannot/,
  );
});
