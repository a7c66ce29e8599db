/** What stands for the API key wherever a service quotes it. */
const mask = '[API key]';

/** The text without the key, also where some of its characters are escaped as URLs or JSON do it. */
export function maskKey(text: string, key: string): string {
  const pattern = Array.from(key, eitherForm).join('');
  return pattern === '' ? text : text.replaceAll(new RegExp(pattern, 'g'), mask);
}

function eitherForm(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  const anyCase = Array.from(hex, (digit) => `[${digit}${digit.toUpperCase()}]`).join('');
  const plain = character.replace(/\W/, String.raw`\$&`);
  return String.raw`(?:\\?${plain}|%${anyCase}|\\u00${anyCase})`;
}
