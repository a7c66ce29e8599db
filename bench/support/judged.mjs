import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives `work` a folder of its own, and prints the summary that it returns as JSON. Where the summary has problems, the
 * exit code is 1 and the folder is kept.
 */
export async function judged(name, { keep }, work) {
  const folder = await mkdtemp(join(tmpdir(), `postledger-${name}-`));
  const summary = await work(folder);
  const isSound = summary.problems.length === 0;
  const isKept = !isSound || keep;
  console.log(JSON.stringify({ ...summary, ...(isKept && { folder }) }, null, 2));
  if (!isKept) await rm(folder, { recursive: true, force: true });
  process.exitCode = isSound ? 0 : 1;
}

/** Shown while it goes on, on a terminal alone. */
export function showProgress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
