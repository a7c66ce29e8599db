/**
 * The package's library entry: the client of the workspace API that the pipeline uses. It keeps the rate limit
 * that all processes of the machine share.
 */
export type { ClientWait, Reading } from './api/call-runner.ts';
export type { WorkspaceClientOptions } from './api/client-options.ts';
export { WorkspaceClient } from './api/client.ts';
export { ApiError } from './api/api-error.ts';
export {
  linkedInPostAnalyticsSchema,
  type LinkedInPostAnalytics,
} from './api/schemas/analytics.ts';
export type { Approval } from './api/schemas/approvals.ts';
export {
  inviteCreatedEventSchema,
  postDeletedEventSchema,
  webhookEventSchema,
  type InviteCreatedEvent,
  type PostDeletedEvent,
  type WebhookEvent,
} from './api/schemas/events.ts';
export type { FieldErrors } from './api/schemas/error.ts';
export type { ArchivedIdea } from './api/schemas/ideas.ts';
export type { InlineComment } from './api/schemas/inline-comments.ts';
export type { ApprovalRequest } from './api/schemas/operations.ts';
export type { Post, PostDetails } from './api/schemas/posts.ts';
export {
  commentChannels,
  linkedInPostTypes,
  postStatuses,
  type CommentChannel,
} from './api/schemas/vocabulary.ts';
export type { RateLimit } from './config/config.ts';
export { Secret } from './config/secret.ts';
export type { Clock } from './core/clock.ts';
export { InterruptedError, PostledgerError } from './core/errors.ts';
export type { Log } from './core/log.ts';
