import { plural } from './load-sentence.ts';

/** `219 bytes`, `1.2 kB`, `37.5 MB`, in steps of a thousand. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return plural(bytes, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let size = bytes / 1000;
  let unit = units.shift();
  while (Number(size.toFixed(1)) >= 1000 && units.length > 0) {
    size /= 1000;
    unit = units.shift();
  }
  return `${size.toFixed(1)} ${unit}`;
}
