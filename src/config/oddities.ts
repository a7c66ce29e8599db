import { isLoopback } from '../core/loopback.ts';
import type { Finding } from './finding.ts';
import type { RawConfig, RawJob } from './jobs-schema.ts';
import { matchProfiles } from './profile-patterns.ts';

/** What is allowed, but most likely not what was meant. */
export function findOddities(raw: RawConfig): Finding[] {
  const jobs = Object.entries(raw.jobs);
  const idle = { path: [], message: 'has no jobs, so there is nothing to run' };
  return [
    ...(jobs.length === 0 ? [idle] : []),
    ...Object.entries(raw.workspaces).flatMap(([key, { base_url: url }]) =>
      addressOddities(key, url),
    ),
    ...jobs.flatMap(([name, job]) => overlapOddities(name, job, raw)),
    ...overwritingOddities(raw),
  ];
}

function addressOddities(key: string, url: string): Finding[] {
  const { protocol, hostname, pathname } = new URL(url);
  const path = ['workspaces', key, 'base_url'];
  const messages = [
    protocol === 'http:' && !isLoopback(hostname)
      ? 'http sends the API key unencrypted; https does not'
      : null,
    /\/api\/v\d+\/*$/.test(pathname) ? null : 'does not end in /api/v1, as addresses of the API do',
  ];
  return messages.flatMap((message) => (message === null ? [] : [{ path, message }]));
}

function overlapOddities(name: string, job: RawJob, raw: RawConfig): Finding[] {
  const workspaces = new Map(
    Object.entries(raw.workspaces).map(([key, workspace]) => [
      key,
      workspace.profiles.map((profile) => ({ ...profile, id: profile.id.toLowerCase() })),
    ]),
  );
  const namedBy = new Map<object, string>();
  return job.profiles.flatMap((pattern, index) => {
    const match = matchProfiles(pattern, workspaces);
    const profiles = 'profiles' in match ? match.profiles : [];
    const again = profiles.find((profile) => namedBy.has(profile));
    const first = again && namedBy.get(again);
    for (const profile of profiles) if (!namedBy.has(profile)) namedBy.set(profile, pattern);
    if (!again || first === undefined) return [];
    const message = `${quote(pattern)} names ${quote(again.name)}, as ${quote(first)} does; it is read once`;
    return [{ path: ['jobs', name, 'profiles', index], message }];
  });
}

/** Two renderings of one report into one folder leave the later one only. */
function overwritingOddities(raw: RawConfig): Finding[] {
  const seen = new Set<string>();
  return Object.entries(raw.jobs).flatMap(([name, job]) =>
    job.reports.flatMap(({ report, out }, index) => {
      const folder = JSON.stringify([report, out.replaceAll('{job}', name)]);
      const isRepeated = seen.has(folder) && !out.includes('{from}');
      seen.add(folder);
      if (!isRepeated) return [];
      const message = `another ${report} report goes to ${quote(out)} too and may overwrite this one; {job} or {from} in out tells them apart`;
      return [{ path: ['jobs', name, 'reports', index, 'out'], message }];
    }),
  );
}

function quote(text: string): string {
  return JSON.stringify(text);
}
