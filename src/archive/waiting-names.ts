import { join } from 'node:path';
import { KeyIndex, keyBytes } from '../inbox/spool/key-index.ts';
import { keysOf } from '../inbox/spool/key-file.ts';
import { readSegment } from '../inbox/spool/read-segment.ts';
import { listSegments } from '../inbox/spool/segment.ts';
import { landingFolder } from '../landing/layout.ts';
import { listEntries } from './archive-tree.ts';
import { partKey } from './ledger-index.ts';
import { seqsOf } from './verify-part.ts';

/** What was loaded, it may be, and has not come to the archive yet. */
export interface WaitingNames {
  /** Seqs of the responses in landing, by {@link partKey}. */
  readonly responses: ReadonlyMap<string, readonly number[]>;
  /** Of the events in the inbox. */
  readonly events: KeyIndex;
}

export async function readWaitingNames(dataDir: string): Promise<WaitingNames> {
  return { events: await readInbox(dataDir), responses: await readLanding(dataDir) };
}

async function readInbox(dataDir: string): Promise<KeyIndex> {
  const index = new KeyIndex();
  for (const segment of await listSegments(dataDir)) {
    const keys = keysOf((await readSegment(segment))?.events ?? []);
    for (let at = 0; at < keys.length; at += keyBytes) index.addBytes(keys, at);
  }
  return index;
}

async function readLanding(dataDir: string): Promise<Map<string, number[]>> {
  const root = landingFolder(dataDir);
  const responses = new Map<string, number[]>();
  for (const workspace of await listFolders(root)) {
    for (const run_id of await listFolders(join(root, workspace))) {
      const entries = await listEntries(join(root, workspace, run_id));
      responses.set(partKey({ workspace, run_id }), seqsOf(entries.map(({ name }) => name)));
    }
  }
  return responses;
}

async function listFolders(path: string): Promise<string[]> {
  const entries = await listEntries(path);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
