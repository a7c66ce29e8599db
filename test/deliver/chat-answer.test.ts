import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { Secret } from '../../src/config/secret.ts';
import { silentLog } from '../../src/core/log.ts';
import { testNotify } from '../../src/deliver/notify.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The problem of a message to a chat that answers 200 with this body. */
async function problemFor(body: string): Promise<string | undefined> {
  const server = createServer((_, response) => response.end(body));
  const port = await listenOnLoopback(server);
  const post = new Secret('CHAT', '.env', `http://127.0.0.1:${port}/services/T0/a-secret-path`);
  const notify = [{ when: ['failed'], to: { post, as: 'slack' } }] as const;
  const config = { dataDir: await temporaryFolder(), mail: null, notify };
  const [problem] = await testNotify({ config, clock: new ManualClock(), log: silentLog });
  return problem;
}

it.each([
  ['Slack', 'invalid_token'],
  ['Slack', 'no_service'],
  ['Slack', '{"ok":false,"error":"channel_not_found"}'],
  [
    'Teams',
    'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
  ],
  ['Telegram', '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}'],
  ['Rocket.Chat', '{"success":false}'],
  ['Zulip', '{"result":"error","msg":"Stream does not exist","code":"STREAM_DOES_NOT_EXIST"}'],
  ['DingTalk', '{"errcode":310000,"errmsg":"keywords not in content"}'],
  ['Feishu', '{"code":19021,"msg":"sign match fail or timestamp is not within one hour"}'],
  ['Google Chat', '{"error":{"code":404,"status":"NOT_FOUND"}}'],
])('a message has failed if %s answers 200 with %s', async (_, body) => {
  const problem = await problemFor(body);
  expect(problem).toBe(`the address in CHAT answers with HTTP 200, but says: ${body}`);
});

it.each([
  ['Slack', 'ok'],
  ['Teams', '1'],
  ['Teams', ''],
  [
    'Telegram',
    '{"ok":true,"result":{"message_id":7,"text":"postledger: test has recovered: error"}}',
  ],
  ['Discord', '{"id":"7","type":0,"content":"*postledger: daily failed*","flags":0}'],
  ['Google Chat', '{"name":"spaces/a/messages/b","text":"postledger: daily failed"}'],
  ['DingTalk', '{"errcode":0,"errmsg":"ok"}'],
  ['Feishu', '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}'],
  ['Zulip', '{"result":"success","msg":"","id":7}'],
  ['PagerDuty', '{"status":"success","errors":[],"error":null}'],
  ['another API', '{"code":200,"message":"ok"}'],
  ['another API', 'Accepted, no errors'],
  ['another API', 'received: *postledger: test has recovered* This is an error'],
  ['a page', '<!doctype html><title>Error tracker</title>'],
  ['echo', '{"job":"daily","state":"failed","text":"it failed"}'],
])('a message has arrived if %s answers 200 with %j', async (_, body) => {
  expect(await problemFor(body)).toBeUndefined();
});

it('an answer that quotes its secret address does not make it known', async () => {
  const problem = await problemFor('error: no hook at /services/T0/a-secret-path');
  expect(problem).toContain('but says: error: no hook at /[address]/T0/[address]');
});
