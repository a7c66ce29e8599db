import { readFile, stat } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import type { ConfigProblem, Finding } from '../config/config-error.ts';
import { definedDeliveries } from '../config/defined-deliveries.ts';
import { errorMessage, hasErrorCode, PostledgerError } from '../core/errors.ts';
import { parseYaml } from '../core/yaml-source.ts';

/** Longer texts are no mail that anybody reads. */
const maxBytes = 1_000_000;

/** The file with a mail's text above the figures cannot be used. */
export class MailBodyError extends PostledgerError {
  readonly code = 'MAIL_BODY';
  readonly recovery = 'fix-input';
}

/** @throws MailBodyError for anything else than a text in UTF-8 */
export async function readMailBody(path: string): Promise<string> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new MailBodyError(`${path} is not a file; name a Markdown file`);
    if (found.size > maxBytes)
      throw new MailBodyError(`${path} has ${found.size} bytes; shorten it to ${maxBytes}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (cause) {
    if (cause instanceof MailBodyError) throw cause;
    throw new MailBodyError(`${path} ${describeProblem(cause)}`, { cause });
  }
}

function describeProblem(error: unknown): string {
  if (hasErrorCode(error, 'ENOENT'))
    return 'does not exist; write it, or correct body in jobs.yaml';
  return hasErrorCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA')
    ? 'is not text in UTF-8; save it in that encoding'
    : `cannot be read (${errorMessage(error)})`;
}

/** Finds the bodies that cannot be used, each once for its place in jobs.yaml. */
export async function findBodyProblems({ file, jobs }: Config): Promise<ConfigProblem[]> {
  const findings = new Map<string, Finding>();
  for (const { target, path } of [...jobs.values()].flatMap(definedDeliveries)) {
    if (target.kind !== 'mail' || target.body === null) continue;
    await readMailBody(target.body).catch((error: unknown) => {
      if (!(error instanceof MailBodyError)) throw error;
      const finding = { path: [...path, 'body'], message: error.message };
      findings.set(JSON.stringify(finding), finding);
    });
  }
  if (findings.size === 0) return [];
  const source = parseYaml(await readFile(file, 'utf8'));
  return [...findings.values()].map((finding) => ({
    ...finding,
    line: source.lineOf(finding.path),
  }));
}
