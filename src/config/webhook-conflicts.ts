import { isLoopback } from '../core/loopback.ts';
import { defaultWebhooks } from './default-webhooks.ts';
import type { ConfigPath } from './config-path.ts';
import type { Lookup } from './environment.ts';
import type { Finding } from './finding.ts';
import { childAt } from './raw-tree.ts';

/**
 * What is wrong between places of `webhooks`, so that `webhooks serve` would refuse it, or that it would
 * serve otherwise than meant. Values are not repeated: they may come from the environment.
 */
export function webhookFindings(root: unknown): Finding[] {
  const webhooks = childAt(root, 'webhooks');
  return [...hostFindings(webhooks), ...portFindings(webhooks), ...headerFindings(webhooks)];
}

function hostFindings(webhooks: unknown): Finding[] {
  const host = childAt(webhooks, 'host');
  const isProtected = has(webhooks, 'token') || has(webhooks, 'signing_secret');
  if (typeof host !== 'string' || host === '' || isLoopback(host) || isProtected) return [];
  const message =
    'must be this machine alone, such as 127.0.0.1, while there is neither token nor signing_secret: everybody could send events';
  return [{ path: ['webhooks', 'host'], message }];
}

function portFindings(webhooks: unknown): Finding[] {
  const port = childAt(webhooks, 'port') ?? defaultWebhooks.port;
  if (typeof port !== 'number' || port === 0 || childAt(webhooks, 'metrics_port') !== port)
    return [];
  return [{ path: ['webhooks', 'metrics_port'], message: `must not be that of events, ${port}` }];
}

function headerFindings(webhooks: unknown): Finding[] {
  if (!has(webhooks, 'token_header') || has(webhooks, 'token')) return [];
  const message = 'carries nothing without a token';
  return [{ path: ['webhooks', 'token_header'], message }];
}

const shortestToken = 16;

/** A token that can be guessed is none. Says how long it is, never what it is. */
export function shortTokenFindings(root: unknown, lookup: Lookup): Finding[] {
  const path = ['webhooks', 'token'];
  const given = childAt(childAt(root, 'webhooks'), 'token');
  const tokens: [ConfigPath, unknown][] = Array.isArray(given)
    ? given.map((token, index) => [[...path, index], token])
    : [[path, given]];
  return tokens.flatMap(([at, token]) => {
    const variable = typeof token === 'string' ? /^\$\{(\w+)\}$/.exec(token)?.[1] : undefined;
    const value = variable === undefined ? undefined : lookup(variable);
    if (variable === undefined || value === undefined || value.length >= shortestToken) return [];
    const message = `the environment variable ${variable} holds a token of ${value.length} characters, which can be guessed; set one of ${shortestToken} or more, for example from: openssl rand -hex 32`;
    return [{ path: at, message }];
  });
}

function has(webhooks: unknown, key: string): boolean {
  return childAt(webhooks, key) !== undefined;
}
