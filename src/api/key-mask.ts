/** What stands for the API key wherever a service quotes it. */
const mask = '[API key]';

/** Shorter ones stand in any text by chance, and no service gives them out. */
const minLength = 8;

/** The text without the key. */
export function maskKey(text: string, key: string): string {
  return key.length < minLength ? text : text.replaceAll(key, mask);
}

/** A body without the key, its other bytes as they are, also those that are no text. */
export function maskKeyInBody(body: Buffer, key: string): Buffer {
  if (key.length < minLength || !body.includes(key)) return body;
  return Buffer.from(maskKey(body.toString('latin1'), key), 'latin1');
}
