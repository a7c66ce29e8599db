/**
 * The package's library entry: the workspace API's client as the pipeline uses it, within the rate limit
 * that all processes of the machine share.
 */
export { WorkspaceClient, type ClientWait, type WorkspaceClientOptions } from './api/client.ts';
export { ApiError } from './api/errors/api-error.ts';
export {
  linkedInPostAnalyticsSchema,
  type LinkedInPostAnalytics,
} from './api/schemas/analytics.ts';
export type { ProfileConfig, RateLimit, WorkspaceConfig } from './config/config.ts';
export { Secret } from './config/secret.ts';
export { systemClock, type Clock } from './core/clock.ts';
export { PostledgerError } from './core/errors.ts';
export { silentLog, type Log } from './core/log.ts';
