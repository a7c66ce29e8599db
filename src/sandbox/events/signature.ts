import { Webhook } from 'standardwebhooks';

/** One try to deliver a message. */
export interface SignedTry {
  /** The same for every try of one message. */
  readonly messageId: string;
  /** When it is sent, by the machine's clock: receivers refuse times that are minutes off. */
  readonly at: Date;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks 1.0.0 (standardwebhooks.com). The time is of the try, not of the
 * event, so that an event that is hours old can still be delivered.
 */
export function signatureHeaders(secret: string, { messageId, at, body }: SignedTry) {
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(messageId, at, body),
  };
}
