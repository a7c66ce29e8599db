import type { IncomingHttpHeaders } from 'node:http';
import { refusals, type Refusal } from './refusals.ts';

/** Null for JSON in UTF-8 that is not compressed, else the refusal. */
export function mediaTypeRefusal(headers: IncomingHttpHeaders): Refusal | null {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return unsupported('no Content-Encoding');
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (!isJson(type.trim())) return unsupported('Content-Type: application/json');
  return parameters.every(isNoOtherCharset) ? null : unsupported('charset utf-8');
}

function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/[^\s/]+\+json$/.test(type);
}

function isNoOtherCharset(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=', 2);
  return name.trim() !== 'charset' || /^"?utf-8"?$/.test(value.trim());
}

function unsupported(wanted: string): Refusal {
  return refusals.unsupported(`Unsupported Media Type: send ${wanted}`);
}
