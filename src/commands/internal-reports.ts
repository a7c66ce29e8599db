import type { Config } from '../config/config.ts';
import { refuseFindings } from '../config/load-config.ts';
import { builtInReports, examineReports, userReports } from '../report/report-catalog.ts';

/**
 * Refuses the internal reports that jobs make for clients without saying so, before anything is read.
 * @throws ConfigError that names each
 */
export async function refuseInternal({ file, folder, jobs }: Config): Promise<void> {
  const asked = [...jobs.values()].flatMap(({ name, reports }) =>
    reports.flatMap(({ report, index, client, allowsInternal }) =>
      client === null || allowsInternal ? [] : [{ report, path: ['jobs', name, 'reports', index] }],
    ),
  );
  if (asked.length === 0) return;
  const { reports } = await examineReports([builtInReports, userReports(folder)]);
  const found = asked.filter(({ report }) => reports.get(report)?.internal === true);
  const findings = found.map(({ report, path }) => ({
    path: [...path, 'for'],
    message: `${report} is an internal report, which names people or checks the work itself; add internal: allow to send it to clients, or leave out for`,
  }));
  await refuseFindings(file, findings);
}
