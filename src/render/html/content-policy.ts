import { createHash } from 'node:crypto';

/** Nothing may load and nothing may run but this very style sheet and script; images are in the page. */
export function contentPolicy(styles: string, code: string): string {
  return [
    "default-src 'none'",
    `style-src ${hashSource(styles)}`,
    `script-src ${hashSource(code)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
