import type { Config } from '../config/config.ts';
import { readSegment } from '../inbox/spool/read-segment.ts';
import { listSegments } from '../inbox/spool/segment.ts';
import { openIfPresent } from '../warehouse/history.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { judgeEvent } from './events/judge-event.ts';
import { slugsOf } from './events/workspace-slugs.ts';

/** The keys and slugs of workspaces that are configured, or that any event names, loaded or not. */
export async function listEventWorkspaces(config: Config): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { key, slug } of config.workspaces.values()) names.add(key).add(slug);
  for (const name of await listWaiting(config)) names.add(name);
  const database = await openIfPresent(config.warehouse);
  try {
    const loaded = await database?.query(await readSql('status/event_workspaces.sql'));
    for (const [name] of loaded?.rows ?? []) names.add(String(name));
  } finally {
    database?.close();
  }
  return names;
}

async function listWaiting(config: Config): Promise<Set<string>> {
  const names = new Set<string>();
  for (const segment of await listSegments(config.dataDir)) {
    for (const event of (await readSegment(segment))?.events ?? []) {
      const { workspace_slug: slug } = judgeEvent(event, slugsOf(config));
      if (slug !== null) names.add(slug);
    }
  }
  return names;
}
