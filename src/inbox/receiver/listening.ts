import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorMessage, hasErrorCode, PostledgerError } from '../../core/errors.ts';

class ReceiverAddressError extends PostledgerError {
  readonly code = 'RECEIVER_ADDRESS';
  readonly recovery = 'fix-input';
}

interface Place {
  readonly host: string;
  readonly port: number;
  /** Where another port is given: `--port or webhooks.port`. */
  readonly setting: string;
}

/**
 * @param onError told of what goes wrong with the port afterwards, such as a connection that the system has
 * no file left for
 * @returns the origin, for example `http://127.0.0.1:8787`
 * @throws ReceiverAddressError when it cannot listen there
 */
export async function listen(
  server: Server,
  place: Place,
  onError: (error: Error) => void,
): Promise<string> {
  server.listen(place.port, place.host.replace(/^\[(.*)\]$/, '$1'));
  try {
    await once(server, 'listening');
  } catch (cause) {
    const where = `the receiver cannot listen on ${place.host}, port ${place.port}`;
    throw new ReceiverAddressError(`${where}: ${problemOf(cause, place)}`, { cause });
  }
  server.on('error', onError);
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function problemOf(cause: unknown, { setting }: Place): string {
  if (hasErrorCode(cause, 'EADDRINUSE')) {
    return `another process does. Stop it, or choose another port with ${setting}`;
  }
  if (hasErrorCode(cause, 'EACCES')) {
    return `this user may not. Choose a port from 1024 to 65535 with ${setting}`;
  }
  if (hasErrorCode(cause, 'EADDRNOTAVAIL') || hasErrorCode(cause, 'ENOTFOUND')) {
    return 'this machine has no such address. Choose 127.0.0.1, or one that it has';
  }
  return `${errorMessage(cause)}. Choose another port with ${setting}, or another host`;
}
