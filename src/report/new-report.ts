import { existsSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { shareFile, shareFolder } from '../core/private-files.ts';
import { definitionJsonSchemaText } from './definition-schema.ts';
import { builtInReports, listReportNames, userReports } from './report-catalog.ts';
import { dataRoot } from '../core/package-root.ts';

const templates = join(dataRoot, 'report', 'schema', 'starter');

/**
 * A name that works as a folder, a sheet and an argument. The catalog ignores folders that begin with `_`.
 */
const newName = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Writes a commented, working report to `reports/<name>/` beside the config file.
 * @returns the absolute path of the folder and the names of its files
 * @throws UsageError if the name is invalid or taken, or if there is no config file
 */
export async function writeNewReport(
  configFile: string,
  name: string,
): Promise<{ folder: string; files: string[] }> {
  if (!newName.test(name)) {
    throw new UsageError(
      `${JSON.stringify(name)} cannot be a report's name: use up to 64 of a-z, 0-9, _ and -, a letter or digit first`,
    );
  }
  if ((await listReportNames([builtInReports])).includes(name)) {
    throw new UsageError(`${name} is the name of a built-in report; choose another one`);
  }
  if (!existsSync(configFile)) {
    throw new UsageError(
      `${configFile} does not exist, and reports are stored beside it; create one with \`postledger init\`, or name yours with --config`,
    );
  }
  const folder = join(userReports(dirname(configFile)), name);
  if (existsSync(folder)) {
    throw new UsageError(
      `${folder} exists already; choose another name than ${name}, or move it away`,
    );
  }
  return { folder, files: await writeFiles(folder, name) };
}

async function writeFiles(folder: string, name: string): Promise<string[]> {
  await shareFolder(folder);
  const files = (await readdir(templates)).sort();
  for (const file of files) {
    const template = await readFile(join(templates, file), 'utf8');
    await writeFile(join(folder, file), filledIn(template, name), { flag: 'wx' });
  }
  await writeFile(join(folder, 'report.schema.json'), definitionJsonSchemaText(), { flag: 'wx' });
  const written = ['report.schema.json', ...files].sort();
  for (const file of written) await shareFile(join(folder, file));
  return written;
}

function filledIn(template: string, name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return template.replaceAll('{{title}}', title).replaceAll('{{name}}', name);
}
