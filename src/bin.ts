#!/usr/bin/env node
/*
 * What a user starts. It has no static import but Node's own, and no syntax younger than ES2017, so that an old
 * Node gets as far as the sentence that names the one it takes.
 */
import { readFileSync } from 'fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  engines: { node: string };
};
const needed = manifest.engines.node.replace('>=', '');

function isOlder(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major === otherMajor ? minor < otherMinor : major < otherMajor;
}

if (isOlder(process.versions.node, needed)) {
  process.stderr.write(
    `error: postledger needs Node.js ${needed} or later; this is ${process.versions.node}\n`,
  );
  process.exitCode = 2;
} else {
  void import('./cli.ts');
}
