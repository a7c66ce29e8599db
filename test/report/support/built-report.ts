import { buildReport } from '../../../src/report/report-builder.ts';
import { findReports } from '../../../src/report/report-catalog.ts';
import type { ReportDocument } from '../../../src/report/report-document.ts';
import type { ReportParameters } from '../../../src/report/report-parameters.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openSessionOn } from './open-session.ts';
import { smallReport, writeReportFolder } from './report-folder.ts';
import type { WarehouseRows } from './report-warehouse.ts';

const somePosts = {
  profiles: [{ profile_id: 'p1', name: 'Acme' }],
  linkedin_posts: [
    { linkedin_post_id: 'a', type: 'Text', impression_count: 1200 },
    { linkedin_post_id: 'b', type: 'Text', impression_count: 34 },
    { linkedin_post_id: 'c', type: 'Poll', impression_count: null },
    { linkedin_post_id: 'd', type: 'Image', impression_count: '9223372036854775807' },
  ],
};

/** The differences of a report from the smallest one. */
export interface Made {
  readonly files?: Record<string, string>;
  readonly yaml?: (text: string) => string;
  readonly set?: Record<string, string>;
  readonly parameters?: Partial<ReportParameters>;
  readonly rows?: WarehouseRows;
  readonly language?: string;
  readonly isForClient?: boolean;
}

/** The smallest report as a document, with these changes, from four posts of one profile unless others are given. */
export async function build({
  files,
  yaml,
  set,
  parameters,
  rows = somePosts,
  language = 'en',
  isForClient = false,
}: Made = {}): Promise<ReportDocument> {
  const folder = await temporaryFolder();
  const text = yaml?.(smallReport['report.yaml']) ?? smallReport['report.yaml'];
  await writeReportFolder(folder, 'reach', { ...smallReport, ...files, 'report.yaml': text });
  const definition = (await findReports([folder])).get('reach');
  if (!definition) throw new Error('the report was not found');
  return buildReport(
    await openSessionOn(rows, parameters, { language, isForClient }),
    definition,
    set,
  );
}
