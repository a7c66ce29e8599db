import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** A file system in memory, mounted on a folder, that only programs started in it see. */
export interface OwnDisk {
  /** The arguments to put before a program that sees it; the program starts in the folder above. */
  readonly wrapper: readonly string[];
  /** Mounts it again with these options, such as `ro` or `size=1m`. */
  readonly remount: (options: string) => Promise<void>;
  /** Returns the output of a shell command there. */
  readonly shell: (script: string) => Promise<string>;
}

export async function mountOwnDisk(folder: string): Promise<OwnDisk> {
  const script = 'mount -t tmpfs -o size=64m none "$1" && echo mounted && exec cat';
  const holder = spawn('unshare', ['-Urm', 'sh', '-c', script, 'sh', folder], {
    // ends with this process
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  const target = `--target=${holder.pid ?? 0}`;
  const enter = ['nsenter', '--user', '--mount', '--preserve-credentials', target];
  // a program that enters has to change to its folder again
  const wrapper = [...enter, 'sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', dirname(folder)];
  const [command = '', ...options] = wrapper;
  const inside = async (args: readonly string[]) =>
    (await run(command, [...options, ...args])).stdout;
  return {
    wrapper,
    remount: async (how) => {
      // with a source named, mount(8) adds no options that it finds: an ordinary user may not give them again
      await inside(['mount', '-o', `remount,${how}`, 'none', folder]);
    },
    shell: (text) => inside(['sh', '-c', text, 'sh', folder]),
  };
}
