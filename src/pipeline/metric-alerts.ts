import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { hasErrorCode, InterruptedError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { problemText } from '../core/machine-problem.ts';
import { notifyOf } from '../deliver/notify.ts';
import { runAdHocQuery } from '../report/ad-hoc-query.ts';
import { defaultLimits, moreByReportRun, withinLimits } from './limits.ts';

interface AlertTools {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Runs the SELECT of each file in `alerts/` beside jobs.yaml and notifies about its rows, whose cells are the text. A
 * file that fails does not affect the others.
 */
export async function checkAlerts(tools: AlertTools): Promise<void> {
  const { config, clock, log, signal } = tools;
  const { dataDir, mail, notify: rules, folder, warehouse } = config;
  if (!rules.some(({ when }) => when.includes('alert'))) return;
  for (const name of await alertNames(join(folder, 'alerts'), log)) {
    try {
      const sql = await readFile(join(folder, 'alerts', `${name}.sql`), 'utf8');
      const limitTools = { clock, signal, limits: defaultLimits, remedies: moreByReportRun };
      const { rows } = await withinLimits(`the alert ${name}`, limitTools, (limits) =>
        runAdHocQuery({ warehouse, sql, limits }),
      );
      const text = rows.map((row) => row.map(String).join(' · ')).join('\n');
      const news = { job: `alert ${name}`, state: rows.length > 0 ? 'alert' : 'ok', text } as const;
      await notifyOf(news, { dataDir, mail, rules, clock, log });
    } catch (error) {
      if (error instanceof InterruptedError) throw error;
      log.warn({ alert: name }, `the alert ${name} failed: ${problemText(error)}`);
    }
  }
}

/** Sorted. Names become names of files. */
async function alertNames(folder: string, log: Log): Promise<string[]> {
  try {
    const files = await readdir(folder);
    return files.flatMap((file) => /^([\w-]+)\.sql$/.exec(file)?.[1] ?? []).sort();
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT'))
      log.warn({}, `alerts cannot be read: ${problemText(error)}`);
    return [];
  }
}
