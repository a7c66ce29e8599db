import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Lets `work` use a folder inside `parent` that is nobody else's and goes away with it. */
export async function withPrivateFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  // its mode is 0700 whatever the umask
  const folder = await mkdtemp(join(parent, '.postledger-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
