import { once } from 'node:events';
import { BlockList, connect, isIP, type Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { UsageError } from './errors.ts';

interface WayOutOptions {
  /** The maximum number of connections that are kept open. */
  readonly connections?: number;
  readonly connectMs: number;
  /** The time without a byte of the answer that ends a request; 0 where the caller limits the whole. */
  readonly silenceMs?: number;
  /** The limit for a body. */
  readonly maxBytes?: number;
}

/**
 * Opens the connections to one service, through the proxy that the environment names. Everything that is sent to an
 * http or https address takes this way.
 * @throws UsageError when the environment names a proxy by something other than an address
 */
export async function openWayOut(
  url: URL,
  { connections, connectMs, silenceMs = 0, maxBytes = -1 }: WayOutOptions,
): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await import('undici');
  const connector = { timeout: connectMs, ...addressFamilies(connectMs) };
  const options = {
    ...(connections !== undefined && { connections }),
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    maxResponseSize: maxBytes,
  };
  const proxy = proxyFor(url);
  if (proxy === null) return new Agent({ ...options, connect: connector });
  const token = basicLogin(proxy);
  return new ProxyAgent({
    ...options,
    uri: proxy.origin,
    ...(token !== null && { token }),
    proxyTls: connector,
    // Plain HTTP is forwarded by the proxy, as is usual; few proxies allow a tunnel for it.
    proxyTunnel: false,
  });
}

const maxAttemptMs = 3_000;

/**
 * How a connection tries the addresses of a host. Node gives up an address after a quarter of a second, which is less
 * than a far service takes. A lost packet is sent again after a second.
 * @param connectMs the time for all addresses
 */
function addressFamilies(connectMs: number) {
  return {
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.min(maxAttemptMs, Math.max(250, connectMs / 4)),
  };
}

/** Opens a connection to a server of another protocol than HTTP, for which the environment names no proxy. */
export async function openSocket(host: string, port: number, connectMs: number): Promise<Socket> {
  const socket = connect({ host, port, ...addressFamilies(connectMs) });
  const silent = Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => socket.destroy(silent), connectMs);
  try {
    await once(socket, 'connect');
    return socket;
  } finally {
    clearTimeout(timer);
  }
}

/** The user and the password of an address, as a request has them; null if it has none. */
export function basicLogin({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const login = [username, password].map(decodeURIComponent).join(':');
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

/** Returns the first variable that is set and not empty, in small letters before capitals. */
function variable(...names: string[]): string {
  const values = names.flatMap((name) => [process.env[name], process.env[name.toUpperCase()]]);
  return values.find((value) => value !== undefined && value !== '') ?? '';
}

function proxyFor({ protocol, hostname }: URL): URL | null {
  const name = `${protocol.slice(0, -1)}_proxy`;
  const text = variable(name, 'all_proxy');
  if (text === '' || isExempt(hostname, variable('no_proxy'))) return null;
  const address = text.includes('://') ? text : `http://${text}`;
  if (URL.canParse(address)) return new URL(address);
  throw new UsageError(
    `${name.toUpperCase()} is no address of a proxy; write it as http://proxy.example:3128, or unset it`,
  );
}

/**
 * True if NO_PROXY names the host. It is read as curl reads it: `*` alone stands for all hosts, a domain also for those
 * below it, with or without a dot before it, and an address may have the length of its network.
 */
export function isExempt(hostname: string, noProxy: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '');
  const entries = noProxy.toLowerCase().split(/[\s,]+/);
  if (entries.length === 1 && entries[0] === '*') return true;
  return entries.some((entry) => {
    if (isIP(host) !== 0) return isInNetwork(host, entry);
    const domain = entry.replace(/^\.|\.$/g, '');
    return domain !== '' && `.${host}`.endsWith(`.${domain}`);
  });
}

function isInNetwork(host: string, entry: string): boolean {
  const [start = '', length = ''] = entry.replace(/[[\]]/g, '').split('/');
  const family = isIP(start);
  const most = family === 4 ? 32 : 128;
  const bits = Number(length) || most;
  if (family === 0 || family !== isIP(host) || bits > most) return false;
  const network = new BlockList();
  network.addSubnet(start, bits, `ipv${family as 4 | 6}`);
  return network.check(host, `ipv${family as 4 | 6}`);
}
