import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { moduleBeside } from '../core/child-task.ts';
import { InterruptedError } from '../core/errors.ts';
import { withPrivateFolder } from '../core/private-folder.ts';
import { handOn } from '../core/private-files.ts';
import { reviveError, type RelayedError } from '../core/relayed-error.ts';
import type { CatalogCheck } from '../report/report-check.ts';
import { builtInReports, type ReportDefinition } from '../report/report-catalog.ts';
import type { ReportConfig } from '../report/report-config.ts';
import { reportErrorOf } from '../report/report-errors.ts';
import { limitErrorOf, runLimited, taskErrors, type TaskTools } from './limited-task.ts';
import type {
  CheckOrder,
  PageOrder,
  RenderAnswer,
  RenderOrder,
  ReportSource,
  ReportStyle,
  WrittenReport,
} from './report-task.ts';

const module = moduleBeside('report-task', import.meta.url);

export interface ReportRequest extends ReportSource, ReportStyle {
  readonly definitions: readonly ReportDefinition[];
  /** Absolute: where the files go. */
  readonly folder: string;
}

/** What became of a report. */
export type ReportResult =
  /** The files' absolute paths, and the text of `table`. */
  | { readonly name: string; readonly files: readonly string[]; readonly text: string }
  | { readonly name: string; readonly error: unknown };

/**
 * Writes reports, each in a process that cannot harm this one; built-in ones that follow each other share one,
 * and show the same load. A report that fails, or goes beyond the limits, costs the others nothing.
 * @throws InterruptedError when the signal aborts
 */
export async function* renderLimited(
  request: ReportRequest,
  tools: TaskTools,
): AsyncGenerator<ReportResult> {
  for (const definitions of groupsOf(request.definitions)) {
    yield* await renderGroup({ ...request, definitions }, tools);
  }
}

/** A report's HTML. @throws what its files, its SQL or the limits give reason for */
export async function renderPageLimited(
  source: Omit<PageOrder, 'engine'>,
  tools: TaskTools,
): Promise<string> {
  const name = nameOf([source.definition]);
  try {
    return await runLimited<string>(name, [], tools, (engine) => {
      const input: PageOrder = { ...source, engine };
      return { module, work: 'renderPage', input };
    });
  } catch (error) {
    throw reportErrorOf(name, error);
  }
}

/** Holds reports against the warehouse. One that goes beyond the limits has that for its fault. */
export async function checkLimited(
  config: ReportConfig,
  definitions: readonly ReportDefinition[],
  tools: TaskTools,
): Promise<CatalogCheck> {
  const checks: CatalogCheck[] = [];
  for (const group of groupsOf(definitions)) checks.push(await checkGroup(config, group, tools));
  return {
    reports: checks.flatMap(({ reports }) => reports),
    standIn: checks.find(({ standIn }) => standIn !== null)?.standIn ?? null,
  };
}

async function renderGroup(request: ReportRequest, tools: TaskTools): Promise<ReportResult[]> {
  const { definitions, folder } = request;
  try {
    const isOnPaper = request.formats.some((format) => format !== 'table');
    if (!isOnPaper) return await renderInto(null, request, tools);
    return await withPrivateFolder(nearestFolder(folder), (own) => renderInto(own, request, tools));
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return definitions.map(({ name }) => ({
      name,
      error: reportErrorOf(`the report ${name}`, error),
    }));
  }
}

/** @param own what is written goes there first, as nobody else's; null where nothing is */
async function renderInto(
  own: string | null,
  { definitions, folder, ...rest }: ReportRequest,
  tools: TaskTools,
): Promise<ReportResult[]> {
  const scratch = own === null ? [] : [own];
  const answers = await runLimited<RenderAnswer[]>(
    nameOf(definitions),
    scratch,
    tools,
    (engine) => {
      const input: RenderOrder = { ...rest, definitions, engine, folder: own };
      return { module, work: 'renderReports', input };
    },
  );
  const results: ReportResult[] = [];
  for (const [index, answer] of answers.entries()) {
    const name = definitions[index]?.name ?? '';
    if ('error' in answer) results.push({ name, error: errorOf(name, answer.error, tools) });
    else results.push(await handOnReport(name, answer, own ?? '', folder));
  }
  return results;
}

/** To where its files were asked for, from where they were made. */
async function handOnReport(
  name: string,
  { files, text }: WrittenReport,
  own: string,
  folder: string,
): Promise<ReportResult> {
  try {
    for (const file of files) await handOn(join(own, file), join(folder, file));
    return { name, files: files.map((file) => join(folder, file)), text };
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return { name, error: reportErrorOf(`the report ${name}`, error) };
  }
}

async function checkGroup(
  config: ReportConfig,
  definitions: readonly ReportDefinition[],
  tools: TaskTools,
): Promise<CatalogCheck> {
  try {
    return await runLimited<CatalogCheck>(nameOf(definitions), [], tools, (engine) => {
      const input: CheckOrder = { config, definitions, engine };
      return { module, work: 'checkAll', input };
    });
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    const { message } = reportErrorOf(nameOf(definitions), error);
    const reports = definitions.map(({ name, folder, sql }) => ({
      name,
      queries: sql.size,
      sections: [],
      faults: [{ path: folder, line: null, column: null, message }],
    }));
    return { reports, standIn: null };
  }
}

/** Of a report that the others could do without. */
function errorOf(name: string, relayed: RelayedError, tools: TaskTools): unknown {
  const what = `the report ${name}`;
  return reportErrorOf(what, limitErrorOf(reviveError(relayed, taskErrors), what, tools));
}

/** Each report of a user's own alone: none can hold up another, or make views that another one reads. */
function groupsOf(definitions: readonly ReportDefinition[]): ReportDefinition[][] {
  const groups: ReportDefinition[][] = [];
  const ours = realpathSync(builtInReports);
  let isOpen = false;
  for (const definition of definitions) {
    const isOurs = dirname(definition.folder) === ours;
    if (isOurs && isOpen) groups.at(-1)?.push(definition);
    else groups.push([definition]);
    isOpen = isOurs;
  }
  return groups;
}

function nameOf(definitions: readonly ReportDefinition[]): string {
  const names = definitions.map(({ name }) => name).join(', ');
  return `${definitions.length === 1 ? 'the report' : 'the reports'} ${names}`;
}

/** On the same disk, so that what is written there can be moved to `folder`. */
function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}
