import { UsageError } from '../core/errors.ts';
import type { WebhookAddress } from '../sandbox/events/webhook-receiver.ts';

const tokenVariable = 'SANDBOX_WEBHOOK_TOKEN';
const secretVariable = 'SANDBOX_WEBHOOK_SECRET';

interface WebhookFlags {
  readonly webhookUrl?: string | undefined;
  readonly webhookToken?: string | undefined;
  readonly webhookHeader?: string | undefined;
  readonly webhookSecret?: string | undefined;
}

/**
 * Where the sandbox sends its events, from flags, and token and signing secret from the environment
 * where no flag gives them. Flags are read here and not by commander, which repeats a wrong value in its
 * message.
 *
 * @returns null when there is no URL; secrets in the environment may be there for another time
 * @throws UsageError which names no secret
 */
export function readWebhookAddress(
  flags: WebhookFlags,
  environment: NodeJS.ProcessEnv,
): WebhookAddress | null {
  const { webhookUrl } = flags;
  if (webhookUrl === undefined) {
    refuseWithoutUrl(flags);
    return null;
  }
  const token = readToken(flags.webhookToken, environment);
  return {
    url: parseUrl(webhookUrl),
    token,
    tokenHeader: parseTokenHeader(flags.webhookHeader, token),
    signingSecret: readSecret(flags.webhookSecret, environment),
  };
}

function refuseWithoutUrl({ webhookToken, webhookHeader, webhookSecret }: WebhookFlags): void {
  const given = [
    { flag: '--webhook-token', value: webhookToken },
    { flag: '--webhook-header', value: webhookHeader },
    { flag: '--webhook-secret', value: webhookSecret },
  ].find(({ value }) => value !== undefined);
  if (!given) return;
  throw new UsageError(`${given.flag} needs --webhook-url: without it no event is sent anywhere`);
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError(
      '--webhook-url is no http or https URL; give one such as http://127.0.0.1:8787/webhooks',
    );
  }
  if (url.username === '' && url.password === '') return url;
  const instead = `give the secret in ${tokenVariable} or with --webhook-token instead`;
  throw new UsageError(`--webhook-url holds a password; ${instead}`);
}

/** What is given, with its name; null where nothing is. An empty variable is none, an empty flag is wrong. */
function readGiven(
  flagName: string,
  flag: string | undefined,
  variable: string,
  environment: NodeJS.ProcessEnv,
) {
  if (flag !== undefined) return { name: flagName, value: flag };
  const value = environment[variable] ?? '';
  return value === '' ? null : { name: variable, value };
}

function readToken(flag: string | undefined, environment: NodeJS.ProcessEnv): string | null {
  const given = readGiven('--webhook-token', flag, tokenVariable, environment);
  if (given === null || /^[\x21-\x7e]+$/.test(given.value)) return given?.value ?? null;
  throw new UsageError(
    `${given.name} must be printable ASCII without spaces, as it goes into a header`,
  );
}

function readSecret(flag: string | undefined, environment: NodeJS.ProcessEnv): string | null {
  const given = readGiven('--webhook-secret', flag, secretVariable, environment);
  if (given === null || isSigningSecret(given.value)) return given?.value ?? null;
  throw new UsageError(
    `${given.name} must be whsec_ and 24 to 64 random bytes in base64; echo "whsec_$(openssl rand -base64 32)" makes one`,
  );
}

/** As the specification of Standard Webhooks has them. */
function isSigningSecret(text: string): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === encoded;
}

const reservedHeaders = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]);

function parseTokenHeader(name: string | undefined, token: string | null): string | null {
  if (name === undefined) return null;
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) {
    throw new UsageError(
      `--webhook-header must be the name of an HTTP header such as X-Hook-Token, got ${JSON.stringify(name)}`,
    );
  }
  if (reservedHeaders.has(name.toLowerCase())) {
    throw new UsageError(`--webhook-header ${name} has a meaning of its own; name another`);
  }
  if (token === null) {
    throw new UsageError(
      `--webhook-header needs a token to put there; give it in ${tokenVariable}`,
    );
  }
  return name;
}
