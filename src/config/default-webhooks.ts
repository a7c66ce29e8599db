import type { WebhooksConfig } from './config.ts';

/** What holds where jobs.yaml says nothing. */
export const defaultWebhooks: WebhooksConfig = {
  host: '127.0.0.1',
  port: 8787,
  tokens: [],
  tokenHeader: null,
  signingSecrets: [],
  trustProxy: false,
  metricsPort: null,
};
