import type { Register } from './context.ts';
import { registerReportCheck } from './report-check.ts';
import { registerReportList } from './report-list.ts';
import { registerReportNew } from './report-new.ts';
import { registerReportPreview } from './report-preview.ts';
import { registerReportRun } from './report-run.ts';

export const registerReport: Register = (program, invoke) => {
  const report = program
    .command('report')
    .description('list reports, run them for any period, and check those of your own');
  registerReportList(report, invoke);
  registerReportRun(report, invoke);
  registerReportNew(report, invoke);
  registerReportPreview(report, invoke);
  registerReportCheck(report, invoke);
};
