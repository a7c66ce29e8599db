import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runCli, servingAt, startCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startWebhookEndpoint } from '../support/webhook-endpoint.ts';

const token = 'a-token-that-nobody-may-see';
const serve = ['sandbox', 'serve', '--port', '0', '--posts', '20'];

const descriptionSchema = z.looseObject({
  base_url: z.string(),
  faults: z.string(),
  webhook_url: z.string().nullable(),
  examples: z.looseObject({ ideas: z.array(z.string()) }),
});

async function serveTo(webhookUrl: string, args: readonly string[], env: Record<string, string>) {
  const cwd = await temporaryFolder();
  const all = [...serve, '--json', '--webhook-url', webhookUrl, ...args];
  const running = startCli(all, { cwd, env });
  const description = descriptionSchema.parse(await servingAt(running));
  const control = (path: string, body: object) =>
    fetch(new URL(`/_sandbox${path}`, description.base_url), {
      method: 'POST',
      body: JSON.stringify(body),
    });
  const stop = async () => {
    running.child.kill('SIGTERM');
    return running.finished;
  };
  return { description, control, stop };
}

describe('sandbox serve', () => {
  it('sends events with the token of the environment, and shows it nowhere', async () => {
    const endpoint = await startWebhookEndpoint();
    const { description, control, stop } = await serveTo(`${endpoint.url}?key=k`, [], {
      SANDBOX_WEBHOOK_TOKEN: token,
    });
    expect(description.webhook_url).toBe(`${endpoint.url}?…`);
    endpoint.behave(500);
    await control('/events', { type: 'test', data: { n: 1 } });
    await control('/deliveries/flush', {});
    endpoint.behave(204);
    const listed = await (await control('/deliveries/flush', {})).text();
    expect(endpoint.arrivals[0]).toMatchObject({
      path: '/hook?key=k',
      headers: { authorization: `Bearer ${token}` },
    });
    const { code, stdout, stderr } = await stop();
    expect(code).toBe(0);
    expect(stderr).toContain('event delivered');
    expect([listed, JSON.stringify(description), stdout, stderr].join()).not.toContain(token);
  });

  it('stops at once while a receiver hangs', async () => {
    const endpoint = await startWebhookEndpoint();
    endpoint.behave('hang');
    const { control, stop } = await serveTo(endpoint.url, [], {});
    await control('/events', { type: 'test', data: { n: 1 } });
    expect(await stop()).toMatchObject({ code: 0, signal: null });
  });

  it('starts with the given faults and names ids to try', async () => {
    const cwd = await temporaryFolder();
    const running = startCli([...serve, '--json', '--faults', 'hostile'], { cwd });
    const description = descriptionSchema.parse(await servingAt(running));
    expect(description).toMatchObject({ faults: 'hostile', webhook_url: null });
    expect(description.examples.ideas.length).toBeGreaterThan(0);
  });

  it.each([
    [['--faults', 'wild'], 'Allowed choices are none, mild, hostile.'],
    [['--webhook-url', 'hook'], '--webhook-url must be an http or https URL'],
    [['--webhook-url', `http://me:${token}@127.0.0.1/`], 'without a password'],
    [
      ['--webhook-url', 'http://127.0.0.1/', '--webhook-token', `${token} `],
      'set one of printable ASCII characters without spaces',
    ],
    [['--webhook-token', token], 'needs --webhook-url'],
    [['--now', 'tomorrow'], 'Give a time such as 2026-01-15T12:00:00Z'],
  ])('refuses %j with exit code 2', async (args, reason) => {
    const { code, stdout, stderr } = await runCli([...serve, ...args], {
      cwd: await temporaryFolder(),
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain(token);
  });
});
