import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'postledger-'));
}

/** A fresh folder that goes away with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder that the tests of a file or of a `describe` share, made when it is first asked for. */
export function sharedFolder(): () => Promise<string> {
  let made: Promise<string> | null = null;
  afterAll(async () => {
    if (made) await rm(await made, { recursive: true, force: true });
    made = null;
  });
  return () => (made ??= makeFolder());
}
