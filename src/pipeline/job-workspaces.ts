import type { JobConfig } from '../config/config.ts';

/** Keys of the workspaces that a job reads, in the order of its profiles. */
export function workspacesOf(job: JobConfig): string[] {
  return [...new Set(job.profiles.map((profile) => profile.workspace))];
}
