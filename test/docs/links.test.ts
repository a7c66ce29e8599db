import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const pages = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...markdownIn('docs'),
  ...markdownIn('deploy'),
];

function markdownIn(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.md')).map((file) => join(folder, file));
}

/** The anchors that GitHub makes of headings. */
function anchors(page: string): string[] {
  const headings = readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(root, resolve(root, dirname(page), path));
  try {
    readFileSync(join(root, target));
  } catch {
    return true;
  }
  return anchor !== undefined && !anchors(target).includes(anchor);
}

it('pages link only to existing pages and headings', () => {
  const broken = pages.flatMap((page) => {
    const links = readFileSync(join(root, page), 'utf8').matchAll(/\]\(((?!https?:)[^)\s]+)\)/g);
    return [...links]
      .filter(([, link = '']) => isBroken(page, link))
      .map(([, link]) => `${page}: ${link}`);
  });
  expect(broken).toEqual([]);
});
