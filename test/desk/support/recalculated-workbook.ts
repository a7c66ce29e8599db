import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian's own Python, which has Debian's openpyxl. */
const python = '/usr/bin/python3';

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
book = openpyxl.load_workbook(sys.argv[1], data_only=True)
def plain(value):
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds() / 86400
    if isinstance(value, datetime.time):
        return (value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6) / 86400
    return value
print(json.dumps({sheet.title: {c.coordinate: plain(c.value) for r in sheet.iter_rows() for c in r if c.value is not None} for sheet in book.worksheets}))
`;

/**
 * Cells by sheet and address, after LibreOffice has computed every formula of the workbook again.
 * @param folder to work in; emptied by its owner
 */
export async function recalculatedWorkbook(
  path: string,
  folder: string,
): Promise<Readonly<Record<string, SheetCells>>> {
  const profile = join(folder, 'profile');
  await mkdir(join(profile, 'user'), { recursive: true });
  await writeFile(join(profile, 'user/registrymodifications.xcu'), alwaysRecalculate);
  await run('soffice', [
    `-env:UserInstallation=file://${profile}`,
    '--headless',
    '--convert-to',
    'xlsx',
    '--outdir',
    join(folder, 'out'),
    path,
  ]);
  const { stdout } = await run(
    python,
    ['-W', 'ignore', '-c', readValues, join(folder, 'out', basename(path))],
    { maxBuffer: 256 * 2 ** 20 },
  );
  return JSON.parse(stdout) as Record<string, SheetCells>;
}
