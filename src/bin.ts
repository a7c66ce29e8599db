#!/usr/bin/env node
/*
 * The entry point of the command. It imports only Node's own modules statically and uses no syntax newer than
 * ES2017, so that an old Node can print which version is needed.
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
