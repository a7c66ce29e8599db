import { execFile } from 'node:child_process';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** A file whose next reader waits in the middle of its work until it is let go on. */
export interface PausedFile {
  /** Waits for the reader, does this, and gives the reader what the file has held; the file is an ordinary one again. */
  readonly during: (work: () => Promise<void>) => Promise<void>;
}

/** @param path of a file that is there */
export async function pauseAt(path: string): Promise<PausedFile> {
  const text = await readFile(path);
  const whole = `${path}.whole.tmp`;
  await writeFile(whole, text);
  await rm(path);
  await run('mkfifo', [path]);
  return {
    during: async (work) => {
      // opens once somebody reads
      const pipe = await open(path, 'w');
      onTestFinished(() => pipe.close().catch(() => undefined));
      await rename(whole, path);
      await work();
      await pipe.writeFile(text);
      await pipe.close();
    },
  };
}
