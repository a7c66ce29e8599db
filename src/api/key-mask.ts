/** What stands for the API key wherever a service quotes it. */
const mask = '[API key]';

/** The text without the key, also where some of its characters are escaped as URLs or JSON do it. */
export function maskKey(text: string, key: string): string {
  const pattern = Array.from(key, eitherForm).join('');
  return pattern === '' ? text : text.replaceAll(new RegExp(pattern, 'g'), mask);
}

/** Shorter ones stand in any text by chance, and no service gives them out. */
const leastLength = 8;

/**
 * A body without the key, should its service quote it; otherwise the same bytes. Whatever else there is in it stays
 * as it is, also what is no text.
 */
export function maskKeyInBody(body: Buffer, key: string): Buffer {
  if (key.length < leastLength || !mayQuote(body, key)) return body;
  return Buffer.from(maskKey(body.toString('latin1'), key), 'latin1');
}

/** Most bodies do not, and need not be searched for each form of each character. */
function mayQuote(body: Buffer, key: string): boolean {
  const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), '\\u00'];
  return (
    forms.some((form) => body.includes(form)) ||
    body.includes(encodeURIComponent(key).toLowerCase())
  );
}

function eitherForm(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  const anyCase = Array.from(hex, (digit) => `[${digit}${digit.toUpperCase()}]`).join('');
  const plain = character.replace(/\W/, String.raw`\$&`);
  return String.raw`(?:\\?${plain}|%${anyCase}|\\u00${anyCase})`;
}
