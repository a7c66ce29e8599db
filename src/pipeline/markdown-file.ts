import { stat } from 'node:fs/promises';
import type { CommentConfig, Config } from '../config/config.ts';
import { pathText, type Finding } from '../config/config-error.ts';
import { definedDeliveries, type DefinedDelivery } from '../config/defined-deliveries.ts';
import { refuseFindings } from '../config/load-config.ts';
import { deliveryPlaceholders, outPlaceholders } from '../config/value-kinds.ts';
import { hasErrorCode, PostledgerError } from '../core/errors.ts';
import { readText, textProblem } from '../core/text-file.ts';
import { readComment } from '../render/comment.ts';
import { previousPeriod, shortestName, type ClosedPeriod, type Period } from '../report/period.ts';
import { fillPlaceholders, unknownPlaceholders, type PlaceholderValues } from './placeholders.ts';

/** Nobody reads longer texts. */
const maxBytes = 1_000_000;

/** A file with the text of a mail or a comment cannot be used. */
export class MarkdownFileError extends PostledgerError {
  readonly code = 'MARKDOWN_FILE';
  readonly recovery = 'fix-input';
}

/** @throws MarkdownFileError for anything else than a text in UTF-8 */
export async function readMarkdownFile(path: string): Promise<string> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new MarkdownFileError(`${path} is not a file; name a Markdown file`);
    if (found.size > maxBytes)
      throw new MarkdownFileError(`${path} has ${found.size} bytes; shorten it to ${maxBytes}`);
    return await readText(path);
  } catch (cause) {
    if (cause instanceof MarkdownFileError) throw cause;
    throw new MarkdownFileError(`${path} ${textProblem(cause)}`, { cause });
  }
}

/** The absolute path of a comment for a report with these values of its placeholders. */
export function commentPath({ file }: CommentConfig, values: PlaceholderValues): string {
  return fillPlaceholders(file, values);
}

/**
 * Reads the comment on a report. Null if there is none, or if its file says nothing yet.
 * @throws MarkdownFileError for anything else than a text in UTF-8
 */
export async function readCommentFile(
  comment: CommentConfig | null,
  values: PlaceholderValues,
): Promise<string | null> {
  return comment && readCommentAt(commentPath(comment, values));
}

/**
 * Reads the comment of a delivery on the period before. Null if there is none, or if its files are not told apart by period.
 * @throws MarkdownFileError for anything else than a text in UTF-8
 */
export async function earlierComment(
  { job, client, delivery, reports }: DefinedDelivery,
  period: Pick<Period, 'from' | 'to'>,
): Promise<{ readonly text: string; readonly period: ClosedPeriod } | null> {
  const before = previousPeriod(period);
  const [entry] = reports.filter(({ comment }) => comment !== null);
  const comment = delivery.comment ?? entry?.comment ?? null;
  if (before === null || !comment?.file.includes('{period}')) return null;
  const text = await readCommentFile(comment, {
    client: client?.key ?? '',
    report: (entry ?? reports[0]).report,
    job: job.name,
    language: client?.language ?? '',
    period: shortestName(before),
  });
  return text === null ? null : { text, period: before };
}

/** @throws MarkdownFileError for anything else than a text in UTF-8, if it exists */
async function readCommentAt(path: string): Promise<string | null> {
  try {
    return readComment(await readMarkdownFile(path));
  } catch (error) {
    if (error instanceof MarkdownFileError && hasErrorCode(error.cause, 'ENOENT')) return null;
    throw error;
  }
}

/** Returns true if a comment was written. One that cannot be read is found when it is. */
export async function hasComment(path: string): Promise<boolean> {
  return (await readCommentAt(path).catch(() => '')) !== null;
}

/**
 * Finds words in the bodies of mails that look like placeholders, which recipients get as they are written.
 * @throws ConfigError that names the bodies that cannot be used
 */
export async function bodyDoubts({ file, jobs }: Config): Promise<string[]> {
  const findings: Finding[] = [];
  const texts = new Map<string, string>();
  for (const { target, path } of [...jobs.values()].flatMap(definedDeliveries)) {
    if (target.kind !== 'mail' || target.body === null) continue;
    try {
      texts.set(target.body, texts.get(target.body) ?? (await readMarkdownFile(target.body)));
    } catch (error) {
      if (!(error instanceof MarkdownFileError)) throw error;
      findings.push({ path: [...path, 'body'], message: error.message });
    }
  }
  await refuseFindings(file, findings);
  const known = deliveryPlaceholders.map((name) => `{${name}}`).join(' ');
  return [...texts].flatMap(([path, text]) =>
    text.split(/\r\n?|\n/).flatMap((line, index) =>
      unknownPlaceholders(line, deliveryPlaceholders).map(({ written, hint }) => {
        const statement = `${path}:${index + 1}: ${written} is no placeholder, and is sent as it is written`;
        return [statement, `there are ${known}`, ...(hint ? [hint] : [])].join('; ');
      }),
    ),
  );
}

/** Finds arguments of programs with a placeholder that is most likely misspelt; other braces may be the program's. */
export function commandDoubts({ jobs }: Config): string[] {
  const names = ['folder', ...outPlaceholders];
  const known = names.map((name) => `{${name}}`).join(' ');
  const doubts = [...jobs.values()].flatMap(definedDeliveries).flatMap(({ target, path }) =>
    target.kind !== 'command'
      ? []
      : target.command.flatMap((word, index) =>
          unknownPlaceholders(word, names)
            .filter(({ hint }) => hint !== '')
            .map(({ written, hint }) => {
              const key = pathText([...path, 'command', index]);
              return `${key}: ${written} is no placeholder; there are ${known}; ${hint}`;
            }),
        ),
  );
  return [...new Set(doubts)];
}
