import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian's own Python, which has Debian's openpyxl. */
export const python = '/usr/bin/python3';

/** A number, a text, a boolean, or a time as ISO 8601 without a zone; an empty cell is not there. */
export type SheetCells = Readonly<Record<string, string | number | boolean>>;

/** The setting that makes LibreOffice compute every formula again, whatever value the file has. */
const alwaysRecalculate = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
`;

const readValues = `
import json, sys, openpyxl, datetime
def plain(value):
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds() / 86400
    if isinstance(value, datetime.time):
        return (value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6) / 86400
    return value
def cells(sheet):
    return {c.coordinate: plain(c.value) for r in sheet.iter_rows() for c in r if c.value is not None}
books = [openpyxl.load_workbook(path, data_only=True) for path in sys.argv[1:]]
print(json.dumps([{sheet.title: cells(sheet) for sheet in book.worksheets} for book in books]))
`;

/** The cells of a workbook by sheet and address. */
export type WorkbookCells = Readonly<Record<string, SheetCells>>;

/**
 * Returns the cells of each workbook, after LibreOffice has computed every formula again.
 * @param paths with different names: a start of LibreOffice for each would cost most of the time
 * @param folder to work in; emptied by its owner
 */
export async function recalculatedWorkbooks(
  paths: readonly string[],
  folder: string,
): Promise<readonly WorkbookCells[]> {
  const profile = join(folder, 'profile');
  const out = join(folder, 'out');
  await mkdir(join(profile, 'user'), { recursive: true });
  await writeFile(join(profile, 'user/registrymodifications.xcu'), alwaysRecalculate);
  const convert = ['--headless', '--convert-to', 'xlsx', '--outdir', out, ...paths];
  await run('soffice', [`-env:UserInstallation=file://${profile}`, ...convert]);
  const computed = paths.map((path) => join(out, basename(path)));
  const { stdout } = await run(python, ['-W', 'ignore', '-c', readValues, ...computed], {
    maxBuffer: 512 * 2 ** 20,
  });
  return JSON.parse(stdout) as WorkbookCells[];
}
