import { UsageError } from '../core/errors.ts';
import type { WebhookAddress } from '../sandbox/event-sender.ts';

const tokenVariable = 'SANDBOX_WEBHOOK_TOKEN';
const secretVariable = 'SANDBOX_WEBHOOK_SECRET';

interface WebhookFlags {
  readonly webhookUrl?: string | undefined;
  readonly webhookToken?: string | undefined;
  readonly webhookHeader?: string | undefined;
  readonly webhookSecret?: string | undefined;
}

/**
 * Where the sandbox sends its events: from flags, with token and signing secret from the environment where no flag
 * gives them. Secrets are parsed here and not by commander, which repeats a wrong value in its message.
 * @returns null when there is no URL; secrets in the environment may be there for another time
 * @throws UsageError which names no secret
 */
export function readWebhookAddress(
  flags: WebhookFlags,
  environment: NodeJS.ProcessEnv,
): WebhookAddress | null {
  const { webhookUrl, webhookToken, webhookHeader, webhookSecret } = flags;
  if (webhookUrl === undefined) {
    const given = Object.entries({
      '--webhook-token': webhookToken,
      '--webhook-header': webhookHeader,
      '--webhook-secret': webhookSecret,
    }).find(([, value]) => value !== undefined);
    if (!given) return null;
    throw new UsageError(`${given[0]} needs --webhook-url: without it no event is sent anywhere`);
  }
  const token = readSecret('--webhook-token', webhookToken, tokenVariable, environment);
  if (token.value !== null && !/^[\x21-\x7e]+$/.test(token.value)) {
    throw new UsageError(
      `${token.name} must be printable ASCII without spaces, as it goes into a header`,
    );
  }
  const secret = readSecret('--webhook-secret', webhookSecret, secretVariable, environment);
  if (secret.value !== null && !isSigningSecret(secret.value)) {
    throw new UsageError(
      `${secret.name} must be whsec_ and 24 to 64 random bytes in base64; echo "whsec_$(openssl rand -base64 32)" makes one`,
    );
  }
  return {
    url: parseUrl(webhookUrl),
    token: token.value,
    tokenHeader: parseTokenHeader(webhookHeader, token.value),
    signingSecret: secret.value,
  };
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

/** What is given, with its name. An empty variable counts as unset, an empty flag is wrong. */
function readSecret(
  flag: string,
  given: string | undefined,
  variable: string,
  environment: NodeJS.ProcessEnv,
) {
  if (given !== undefined) return { name: flag, value: given };
  const value = environment[variable] ?? '';
  return { name: variable, value: value === '' ? null : value };
}

/** As the specification of Standard Webhooks has them. */
function isSigningSecret(text: string): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === encoded;
}

function parseTokenHeader(name: string | undefined, token: string | null): string | null {
  if (name === undefined) return null;
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) {
    throw new UsageError(
      `--webhook-header must be the name of an HTTP header such as X-Hook-Token, got ${JSON.stringify(name)}`,
    );
  }
  if (token !== null) return name;
  throw new UsageError(`--webhook-header needs a token to put there; give it in ${tokenVariable}`);
}
