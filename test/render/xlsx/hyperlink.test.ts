import { describe, expect, it } from 'vitest';
import { linkTarget } from '../../../src/render/xlsx/cell-text.ts';

describe('a link of a sheet', () => {
  it('accepts http and https addresses', () => {
    expect(linkTarget('https://www.linkedin.com/feed/update/urn:li:share:1/')).toBe(
      'https://www.linkedin.com/feed/update/urn:li:share:1/',
    );
    expect(linkTarget('http://example.com')).toBe('http://example.com/');
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    '\\\\server\\share',
    'mailto:a@example.com',
    'data:text/html,x',
    'www.example.com',
    'https://',
    '',
  ])('rejects %j', (address) => {
    expect(linkTarget(address)).toBeNull();
  });

  it('escapes the characters that Office rejects', () => {
    expect(linkTarget('https://example.com/a b?c={d|e}^`')).toBe(
      'https://example.com/a%20b?c=%7Bd%7Ce%7D%5E%60',
    );
  });

  it('rejects an address that is longer than Excel allows', () => {
    const longest = `https://example.com/${'a'.repeat(2_079 - 20)}`;
    expect(linkTarget(longest)).toBe(longest);
    expect(linkTarget(`${longest}a`)).toBeNull();
  });
});
