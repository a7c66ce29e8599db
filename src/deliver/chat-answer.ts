import { isRecord, parsedJson } from '../core/json.ts';
import { terminalLine } from '../core/terminal-text.ts';

/** A code as Slack answers, such as `invalid_token` or `no_service`. */
const slackCode = /^[a-z0-9]+(?:_[a-z0-9]+)+$/;
const failureWords =
  /\b(?:fail(?:ed|ures?)|errors?|invalid|denied|forbidden|unauthori[sz]ed|expired|rejected|not (?:found|sent|delivered|allowed|authori[sz]ed|permitted))\b/i;
const noFailure = /\b(?:no|0|zero|without) (?:errors?|failures?)\b/i;
const failureStates = /^(?:errors?|fail(?:ed|ure)?|rejected|denied|invalid|false)$/i;

/**
 * Returns what a chat says of its failure in an answer whose status is a success; null: it does not say that it failed.
 * Chats answer a success with nothing, `ok`, `1`, a page, the message itself or any JSON, so only a failure is recognised:
 * - JSON with `ok` or `success` that is false (Slack, Telegram, Rocket.Chat), `status` or `result` that names a failure
 *   (Zulip), `errcode` that is not 0 (DingTalk, WeCom), `code` from 400 on (Feishu), or an `error`
 * - one code as Slack has them, or a sentence with a word for a failure (Teams)
 * @param title the title of the message, by which one that is returned as it was sent is known
 */
export function failureIn(answer: string, title: string): string | null {
  const value = parsedJson(answer);
  const hasFailed = isRecord(value)
    ? saysFailure(value)
    : isFailureText(typeof value === 'string' ? value : answer, title);
  return hasFailed ? terminalLine(answer) : null;
}

function isFailureText(text: string, title: string): boolean {
  const trimmed = text.trim();
  if (trimmed.startsWith('<') || trimmed.includes(title)) return false;
  if (slackCode.test(trimmed) || failureStates.test(trimmed)) return true;
  return failureWords.test(trimmed) && !noFailure.test(trimmed);
}

/** An answer that says outright whether it succeeded is believed; else its codes and errors count. */
function saysFailure(answer: Record<string, unknown>): boolean {
  const fields = new Map(
    Object.entries(answer).map(([key, value]) => [
      key.toLowerCase().replaceAll(/[_-]/g, ''),
      value,
    ]),
  );
  const textOf = (key: string) => JSON.stringify(fields.get(key) ?? null).replaceAll('"', '');
  const verdicts = ['ok', 'success'].map(textOf);
  if (verdicts.some((text) => /^(?:true|1)$/i.test(text))) return false;
  if (verdicts.some((text) => /^(?:false|0)$/i.test(text))) return true;
  return (
    ['status', 'result'].some((key) => failureStates.test(textOf(key))) ||
    ['status', 'code', 'statuscode'].some((key) => Number(textOf(key)) >= 400) ||
    ['errcode', 'errorcode'].some((key) => !/^(?:null|0|ok|success|none|)$/i.test(textOf(key))) ||
    ['error', 'errors'].some((key) => !/^(?:null|false|0|none|\[\]|\{\}|)$/i.test(textOf(key)))
  );
}
