import { readCommands, type CommandTable } from './command-table.ts';
import type { Register } from './context.ts';

const commands: CommandTable = {
  serve: async () => (await import('./webhooks-serve.ts')).registerServe,
  ingest: async () => (await import('./webhooks-ingest.ts')).registerIngest,
  list: async () => (await import('./webhooks-list.ts')).registerList,
  replay: async () => (await import('./webhooks-replay.ts')).registerReplay,
};

/** The group, with those of its commands that `args` name: the receiver runs for months without DuckDB. */
export async function readWebhooks(args: readonly string[]): Promise<Register> {
  const registers = await readCommands(commands, args);
  return (program, invoke) => {
    const webhooks = program.command('webhooks').description('events that the workspace sends');
    for (const register of registers) register(webhooks, invoke);
  };
}
