import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes a report's files under `parent`. */
export async function writeReportFolder(
  parent: string,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(parent, name);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

/** The smallest valid report. */
export const smallReport = {
  'report.yaml': `title: Reach
description: Impressions by type.
parameters:
  least: { type: integer, default: 0, help: Impressions that a type needs. }
sections:
  - name: types
    title: Types
    description: By type.
    key: [type]
    sorted_by: impressions
    columns:
      impressions: { title: Seen, format: count, null_note: Not known. }
`,
  'types.sql': `select type, sum(impression_count) as impressions, count(*) as posts
from report_posts
group by type
having coalesce(sum(impression_count), 0) >= $least::bigint
order by impressions desc nulls last, type;
`,
};
