import { isUtf8 } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { Secret } from '../../config/secret.ts';
import { UsageError } from '../../core/errors.ts';
import { headerValues } from './header-values.ts';

const signatureHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
type SignatureHeaders = Record<(typeof signatureHeaders)[number], string>;

interface SigningKey {
  readonly bytes: Buffer;
  readonly webhook: Webhook;
}

/** More than a rotation needs; each is compared. */
const mostSignatures = 20;
/** Standard Webhooks: a message that is older may be a replay. */
const toleranceSeconds = 300;
/** Standard Webhooks has 24 to 64; what is below 128 bits may be guessed. */
const leastKeyBytes = 16;
const prefix = /^whsec_/;

/** Whether a body is signed as Standard Webhooks has it, with one of the configured secrets. */
export class SignatureCheck {
  readonly #keys: readonly SigningKey[];

  /**
   * @throws UnsetSecretError
   * @throws UsageError which names the place of a secret that is none
   */
  constructor(secrets: readonly Secret[]) {
    this.#keys = secrets.map(keyOf);
  }

  /**
   * Null when a signature is right, else what is wrong, for the log. A body that is no UTF-8 may be signed
   * rightly: it is for the reader of events to refuse.
   */
  problem(body: Buffer, rawHeaders: readonly string[]): string | null {
    const headers = readHeaders(rawHeaders);
    if (typeof headers === 'string') return headers;
    const key = this.#keys.find(({ bytes }) => hasSigned(bytes, body, headers));
    if (key === undefined) return 'no matching signature';
    // the library turns what is no UTF-8 into U+FFFD, and would verify that
    return isUtf8(body) ? verify(key.webhook, body, headers) : null;
  }
}

/** What is wrong with the headers alone, whatever the body; null when nothing is. */
export function signatureHeaderProblem(rawHeaders: readonly string[], now: Date): string | null {
  const headers = readHeaders(rawHeaders);
  if (typeof headers === 'string') return headers;
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(headers['webhook-timestamp']);
  if (ageSeconds > toleranceSeconds) return 'webhook-timestamp is too old';
  return ageSeconds < -toleranceSeconds ? 'webhook-timestamp is too far ahead' : null;
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
  if (signaturesOf(headers).length > mostSignatures) return 'too many signatures';
  return headers;
}

/**
 * A first look that costs a tenth of the library's, which is written in JavaScript: anybody can send a
 * mebibyte and make us compute.
 */
function hasSigned(key: Buffer, body: Buffer, headers: SignatureHeaders): boolean {
  const hmac = createHmac('sha256', key);
  hmac.update(`${headers['webhook-id']}.${Number(headers['webhook-timestamp'])}.`).update(body);
  const right = Buffer.from(`v1,${hmac.digest('base64')}`);
  const given = signaturesOf(headers).map((text) => Buffer.from(text));
  return given.some((bytes) => bytes.length === right.length && timingSafeEqual(bytes, right));
}

function signaturesOf(headers: SignatureHeaders): string[] {
  return headers['webhook-signature'].split(' ');
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

function keyOf(secret: Secret): SigningKey {
  const text = secret.reveal();
  const webhook = webhookOf(secret, text);
  const bytes = Buffer.from(text.replace(prefix, ''), 'base64');
  if (bytes.length >= leastKeyBytes) return { bytes, webhook };
  throw new UsageError(
    `${secret.place}: the environment variable ${secret.variable} holds a signing secret of fewer than ${leastKeyBytes} bytes, which others may guess; it is whsec_ and the Base64 of 24 to 64 bytes, as the sender shows it`,
  );
}

function webhookOf(secret: Secret, text: string): Webhook {
  try {
    return new Webhook(text);
  } catch {
    // the library's message is left out, as it could quote the secret
    throw new UsageError(
      `${secret.place}: the environment variable ${secret.variable} holds no signing secret of Standard Webhooks; it is whsec_ and Base64, as the sender shows it`,
    );
  }
}
