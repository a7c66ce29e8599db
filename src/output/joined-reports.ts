import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { withPrivateFolder } from '../core/private-files.ts';
import type { PrintTools } from '../render/pdf.ts';
import { writeWorkbook } from '../render/xlsx/workbook.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { defaultLimits } from '../warehouse/limits.ts';
import { printReports } from './report-output.ts';

/**
 * Makes one file of several reports, the first of which has its head.
 * @throws PdfError without a browser, or when it fails
 */
export async function joinReports(
  [first, ...more]: readonly [ReportDocument, ...ReportDocument[]],
  format: 'pdf' | 'xlsx',
  { pdf: { browser } }: Pick<Config, 'pdf'>,
  tools: Omit<PrintTools, 'timeoutMs'>,
): Promise<Uint8Array> {
  return withPrivateFolder(tmpdir(), async (folder) => {
    const path = join(folder, `reports.${format}`);
    if (format === 'xlsx') await writeWorkbook(first, path, more);
    else {
      const order = { what: 'the reports together', pdf: path, browser, printsAppendix: false };
      const timeoutMs = defaultLimits.timeoutMs * (1 + more.length);
      await printReports([first, ...more], order, { ...tools, timeoutMs });
    }
    return readFile(path);
  });
}
