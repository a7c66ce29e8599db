import { isUtf8 } from 'node:buffer';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { Secret } from '../../config/secret.ts';
import { UsageError } from '../../core/errors.ts';
import { headerValues } from './header-values.ts';

const signatureHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
type SignatureHeaders = Record<(typeof signatureHeaders)[number], string>;

/** More than a rotation needs; each is compared. */
const mostSignatures = 20;

/** Whether a body is signed as Standard Webhooks has it, with one of the configured secrets. */
export class SignatureCheck {
  readonly #webhooks: readonly Webhook[];

  /**
   * @throws UnsetSecretError
   * @throws UsageError which names the place of a secret that is none
   */
  constructor(secrets: readonly Secret[]) {
    this.#webhooks = secrets.map(webhookOf);
  }

  /** Null when a signature is right, else what is wrong, for the log. */
  problem(body: Buffer, rawHeaders: readonly string[]): string | null {
    const headers = readHeaders(rawHeaders);
    if (typeof headers === 'string') return headers;
    // the library turns what is no UTF-8 into U+FFFD, so that other bytes would verify too
    if (!isUtf8(body)) return 'signed bytes that are not UTF-8';
    let problem = 'no signature';
    for (const webhook of this.#webhooks) {
      const found = verify(webhook, body, headers);
      if (found === null) return null;
      problem = found;
    }
    return problem;
  }
}

/** What is wrong with the headers alone, whatever the body; null when nothing is. */
export function signatureHeaderProblem(rawHeaders: readonly string[]): string | null {
  const headers = readHeaders(rawHeaders);
  return typeof headers === 'string' ? headers : null;
}

function readHeaders(rawHeaders: readonly string[]): SignatureHeaders | string {
  const found: Partial<SignatureHeaders> = {};
  for (const name of signatureHeaders) {
    const [value = '', ...more] = headerValues(rawHeaders, name);
    if (value === '') return `${name} is missing`;
    if (more.length > 0) return `${name} is there twice`;
    found[name] = value;
  }
  const headers = found as SignatureHeaders;
  // the library would read `1700000000 and more` as a number, and sign the number alone
  if (!/^\d{1,12}$/.test(headers['webhook-timestamp'])) return 'webhook-timestamp is no number';
  if (headers['webhook-signature'].split(' ').length > mostSignatures) return 'too many signatures';
  return headers;
}

function verify(webhook: Webhook, body: Buffer, headers: SignatureHeaders): string | null {
  try {
    webhook.verify(body, headers, { jsonParse: false });
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    throw error;
  }
}

function webhookOf(secret: Secret): Webhook {
  const text = secret.reveal();
  try {
    return new Webhook(text);
  } catch {
    // the library's message is left out, as it could quote the secret
    throw new UsageError(
      `${secret.place}: the environment variable ${secret.variable} holds no signing secret of Standard Webhooks; it is whsec_ and Base64, as the sender shows it`,
    );
  }
}
