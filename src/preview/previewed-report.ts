import { dirname, join, relative } from 'node:path';
import type { Config } from '../config/config.ts';
import { InterruptedError, PostledgerError, isSystemError } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';
import type { PreviewFault, Rendering } from './preview-server.ts';
import {
  builtInReports,
  listReportNames,
  readReport,
  userReports,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import {
  ReportDefinitionError,
  ReportQueryError,
  type ReportFault,
} from '../report/report-errors.ts';
import { reportConfigOf } from '../report/report-parameters.ts';
import type { ReportParameters } from '../report/report-parameters.ts';
import { checkSetKeys } from '../report/report-parameters.ts';
import { warehouseOf } from '../warehouse/warehouse.ts';
import type { LimitTools } from '../warehouse/limits.ts';
import { reportHtml } from '../output/report-files.ts';
import { checkDefinitions, readDocument } from '../output/report-output.ts';

export interface PreviewRequest {
  readonly name: string;
  readonly parameters: ReportParameters;
  /** The report's own parameters, as `--set` gives them. */
  readonly set: Readonly<Record<string, string>>;
  /** The key of the client that it is for; null: of none. */
  readonly client: string | null;
  /** Absolute path of jobs.yaml. */
  readonly configFile: string;
  /** Reads it again. */
  readonly loadConfig: () => Promise<Config>;
}

/** A rendering, with what kept it from being made. */
export interface PreviewedReport extends Rendering {
  /** Absolute paths of the files and folders that it rests on, there or not. */
  readonly inputs: readonly string[];
  readonly error: Error | null;
}

/**
 * Renders a report from its files as they are now, or says all that is wrong with them.
 * @throws InterruptedError when the signal aborts, which breaks off a query that is running
 */
export async function previewReport(
  request: PreviewRequest,
  tools: LimitTools,
): Promise<PreviewedReport> {
  const parent = await parentOf(request);
  const inputs = await filesOf(request);
  let definition: ReportDefinition | null = null;
  let config: Config | null = null;
  try {
    config = await request.loadConfig();
    const client = config.clients.get(request.client ?? '') ?? null;
    const { brand } = client ?? config;
    inputs.push(...warehouseOf(config.warehouse).files);
    if (brand?.logo) inputs.push(brand.logo);
    if (client?.figures) inputs.push(client.figures.file);
    definition = await readReport(parent, request.name);
    checkSetKeys([definition], request.set);
    const source = { ...request, config: reportConfigOf(config, client, tools.clock.now()) };
    const document = await readDocument(definition, source, tools);
    const html = await reportHtml({ ...document, ...(client && { copy: client.copy }) }, []);
    return { html, faults: [], inputs, error: null };
  } catch (error) {
    if (tools.signal.aborted)
      throw new InterruptedError('the page was not finished', { cause: error });
    if (!(error instanceof PostledgerError || isSystemError(error))) throw error;
    const faults = await faultsOf(error, definition, config, tools);
    return { html: null, faults, inputs, error };
  }
}

/** The files and folders that a report rests on, as far as they are known without reading them. */
export async function filesOf(request: PreviewRequest): Promise<string[]> {
  const { configFile, name } = request;
  const folder = join(await parentOf(request), name);
  return [configFile, join(dirname(configFile), '.env'), folder];
}

async function parentOf({ name, configFile }: PreviewRequest): Promise<string> {
  const isBuiltIn = (await listReportNames([builtInReports])).includes(name);
  return isBuiltIn ? builtInReports : userReports(dirname(configFile));
}

/** Lists every fault of files that do not fit; for another error, the error itself. */
async function faultsOf(
  error: Error,
  definition: ReportDefinition | null,
  config: Config | null,
  tools: LimitTools,
): Promise<PreviewFault[]> {
  if (error instanceof ReportDefinitionError && error.faults.length > 0)
    return error.faults.map(previewFault);
  const isOfFiles = error instanceof ReportDefinitionError || error instanceof ReportQueryError;
  if (isOfFiles && definition && config) {
    const reports = await checkDefinitions(
      reportConfigOf(config, null, tools.clock.now()),
      [definition],
      tools,
    );
    const faults = reports.flatMap((report) => report.faults);
    if (faults.length > 0) return faults.map(previewFault);
  }
  const message = error instanceof PostledgerError ? error.explain() : problemText(error);
  return [{ location: null, message }];
}

function previewFault({ path, line, column, message }: ReportFault): PreviewFault {
  const location = [relative('.', path), line, column].filter((part) => part !== null).join(':');
  return { location, message };
}
