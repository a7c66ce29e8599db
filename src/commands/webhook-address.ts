import { UsageError } from '../core/errors.ts';
import type { WebhookAddress } from '../sandbox/events/webhook-receiver.ts';

const tokenVariable = 'SANDBOX_WEBHOOK_TOKEN';

interface WebhookFlags {
  readonly webhookUrl?: string | undefined;
  readonly webhookToken?: string | undefined;
}

/**
 * Where the sandbox sends its events, from flags, and the token from the environment where no flag
 * gives it. Flags are read here and not by commander, which repeats a wrong value in its message.
 *
 * @returns null when there is no URL; a token in the environment may be there for another time
 * @throws UsageError which names no secret
 */
export function readWebhookAddress(
  { webhookUrl, webhookToken }: WebhookFlags,
  environment: NodeJS.ProcessEnv,
): WebhookAddress | null {
  if (webhookUrl !== undefined) {
    return { url: parseUrl(webhookUrl), token: readToken(webhookToken, environment) };
  }
  if (webhookToken === undefined) return null;
  throw new UsageError('--webhook-token needs --webhook-url: without it no event is sent anywhere');
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

function readToken(flag: string | undefined, environment: NodeJS.ProcessEnv): string | null {
  const [name, token] =
    flag === undefined ? [tokenVariable, environment[tokenVariable]] : ['--webhook-token', flag];
  if (token === undefined || (token === '' && flag === undefined)) return null;
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UsageError(`${name} must be printable ASCII without spaces, as it goes into a header`);
}
