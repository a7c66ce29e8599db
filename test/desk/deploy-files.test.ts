import { execFile } from 'node:child_process';
import { copyFile, cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { parseAllDocuments, parseDocument } from 'yaml';
import { expect, it } from 'vitest';
import { packageVersion } from '../../src/core/package-version.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const deploy = join(root, 'deploy');

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

it('every file names the image of this version', async () => {
  for (const path of await filesIn(deploy)) {
    const images = (await readFile(path, 'utf8')).match(/postledger:\d[\w.]*/g) ?? [];
    expect([path, ...new Set(images)]).toEqual([path, ...images.slice(0, 1)]);
    for (const image of images) expect(image).toBe(`postledger:${packageVersion}`);
  }
});

it('the compose files are valid YAML', async () => {
  for (const path of (await filesIn(deploy)).filter((name) => /\/compose.*yaml$/.test(name))) {
    const document = parseDocument(await readFile(path, 'utf8'), { merge: true });
    expect([path, ...document.errors]).toEqual([path]);
  }
});

// kubernetes-types is made from the OpenAPI document of Kubernetes. A literal with an unknown key does not compile.
it('Kubernetes’ own types have every key and value of the manifests', async () => {
  const statements: string[] = [];
  for (const path of await filesIn(join(deploy, 'kubernetes'))) {
    for (const document of parseAllDocuments(await readFile(path, 'utf8'))) {
      const manifest = document.toJS() as { apiVersion: string; kind: string };
      const group = manifest.apiVersion.includes('/') ? manifest.apiVersion : 'core/v1';
      const module = JSON.stringify(join(root, 'node_modules/kubernetes-types', group));
      const literal = `({ ${JSON.stringify(manifest).slice(1)}`;
      statements.push(`// ${path}`, `${literal} satisfies import(${module}).${manifest.kind});`);
    }
  }
  const program = join(await temporaryFolder(), 'manifests.ts');
  await writeFile(program, `${statements.join('\n')}\nexport {};\n`);
  const checks = { strict: true, noEmit: true, skipLibCheck: true };
  const made = ts.createProgram([program], { ...checks, types: [], lib: ['lib.es2022.d.ts'] });
  const problems = ts
    .getPreEmitDiagnostics(made)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  expect(problems).toEqual([]);
  expect(statements.length / 2).toBe(6);
});

it('systemd accepts the units, with what all services share', async () => {
  const units = join(await temporaryFolder(), 'units');
  await cp(join(deploy, 'systemd'), units, { recursive: true });
  const names = (await readdir(units)).filter((name) => /\.(?:service|timer)$/.test(name));
  expect(names.sort()).toEqual([
    'postledger-catch-up.service',
    'postledger-catch-up.timer',
    'postledger-daily.service',
    'postledger-daily.timer',
    'postledger-webhooks.service',
  ]);
  // systemd-analyze looks for the program, and for drop-ins only in a search path
  const program = join(dirname(units), 'postledger');
  await copyFile('/bin/true', program);
  for (const name of names) {
    const text = await readFile(join(units, name), 'utf8');
    await writeFile(join(units, name), text.replaceAll('/usr/local/bin/postledger', program));
  }
  const verified = await promisify(execFile)(
    'systemd-analyze',
    ['verify', '--man=no', ...names.map((name) => join(units, name))],
    { env: { ...process.env, SYSTEMD_UNIT_PATH: `${units}:` } },
  );
  expect(verified.stderr).toBe('');
});
