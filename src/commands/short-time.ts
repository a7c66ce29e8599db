/** To the minute, as in `2026-01-15 12:00 UTC`; of null `never`. */
export function shortTime(iso: string | null): string {
  return iso === null ? 'never' : `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}
