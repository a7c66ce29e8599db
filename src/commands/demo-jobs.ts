import { stringify } from 'yaml';
import { addDays, type Day } from '../core/calendar.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** CPM of profiles for posts to which the API gives no EMV. */
const fallbackCpm = 30;

interface DemoChoices {
  readonly limit: { readonly requests: number; readonly perSeconds: number };
  readonly today: Day;
  /** Names of reports. */
  readonly reports: readonly string[];
}

/**
 * The demo's jobs.yaml: one job over all profiles of the sandbox, and all reports in all formats over the
 * twelve whole months before `today`, so that there is a year before to compare with.
 */
export function demoJobs(
  { url, profiles, workspace }: Sandbox,
  { limit, today, reports }: DemoChoices,
): string {
  const period = demoPeriod(today);
  const withAnalytics = profiles.filter(({ kind }) => kind !== 'engagement');
  const report = (name: string) => ({
    report: name,
    period,
    formats: ['csv', 'xlsx', 'html'],
    out: '.',
  });
  const jobs = {
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    locale: 'en-GB',
    brand: { name: 'Halden Grid' },
    cpm_band: { low: 20, high: 45 },
    workspaces: {
      sandbox: {
        base_url: url,
        api_key: '${SANDBOX_API_KEY}',
        rate_limit: { requests: limit.requests, per_seconds: limit.perSeconds },
        concurrency: 8,
        slug: workspace.slug,
        profiles: withAnalytics.map(({ id, name }) => ({ id, name, cpm: fallbackCpm })),
      },
    },
    jobs: {
      demo: {
        profiles: ['sandbox/*'],
        windows: { days: 760, size_days: 30, refresh_days: 35 },
        details: true,
        reports: reports.map(report),
      },
    },
  };
  return `# Made by \`postledger demo\`. The sandbox that it names has ended with the demo; the warehouse stays.\n${stringify(jobs)}`;
}

/** The twelve whole months before `today`. */
export function demoPeriod(today: Day): { from: Day; to: Day } {
  const thisMonth = `${today.slice(0, 7)}-01`;
  const from = `${Number(thisMonth.slice(0, 4)) - 1}${thisMonth.slice(4)}`;
  return { from, to: addDays(thisMonth, -1) };
}
