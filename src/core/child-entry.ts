import { rmSync } from 'node:fs';
import { relayError } from './relayed-error.ts';
import type { TaskAnswer, TaskOrder } from './child-task.ts';

/** A process of its own for one task: takes it over IPC, does it, answers, and waits to be ended. */

type Work = (input: unknown) => Promise<unknown>;

let scratch: readonly string[] = [];

/** The parent decides when it is over: a terminal's Ctrl-C comes to both. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

/** Nobody waits for the answer any more. An exit would wait for what the database is doing. */
process.on('disconnect', () => {
  try {
    for (const folder of scratch) rmSync(folder, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
});

process.once('message', (order: TaskOrder) => {
  ({ scratch } = order);
  answer(order).then(
    (told) => process.send?.(told),
    (error: unknown) => process.send?.({ kind: 'failed', error: relayError(error) }),
  );
});

async function answer({ module, work, input }: TaskOrder): Promise<TaskAnswer> {
  const { [work]: task } = (await import(module)) as Record<string, Work | undefined>;
  if (task === undefined) throw new TypeError(`${module} has no ${work}`);
  return { kind: 'done', output: await task(input) };
}
