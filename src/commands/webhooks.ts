import type { Register } from './context.ts';
import { registerIngest } from './webhooks-ingest.ts';
import { registerList } from './webhooks-list.ts';
import { registerReplay } from './webhooks-replay.ts';
import { registerServe } from './webhooks-serve.ts';

export const registerWebhooks: Register = (program, invoke) => {
  const webhooks = program.command('webhooks').description('events that the workspace sends');
  registerServe(webhooks, invoke);
  registerIngest(webhooks, invoke);
  registerList(webhooks, invoke);
  registerReplay(webhooks, invoke);
};
