import { describe, expect, it } from 'vitest';
import type { PostDeletedEvent, WebhookEvent } from '../../src/api/schemas/events.ts';
import { runSandbox } from '../sandbox/running-sandbox.ts';
import { startWebhookEndpoint } from '../support/webhook-endpoint.ts';
import { readStrictly } from './support/document-readings.ts';

/** What is wrong with an event by the document, which says what a webhook is sent. */
function faultsOf(event: WebhookEvent): string[] {
  const body = 'post/requestBody/content/application~1json/schema';
  return readStrictly(`#/webhooks/${event.type}/${body}`, event);
}

/** A sandbox, and all events that it has sent, as they came over the wire. */
async function runWithWebhook() {
  const endpoint = await startWebhookEndpoint();
  const webhook = { url: new URL(endpoint.url), token: 'a-token' };
  const running = await runSandbox({ posts: 400, webhook });
  const arrivals = async () => {
    await running.control('/deliveries/flush', {});
    return endpoint.arrivals.map(({ headers, body }) => ({
      contentType: headers['content-type'],
      event: JSON.parse(body) as WebhookEvent,
    }));
  };
  return { ...running, arrivals };
}

describe('the events of the sandbox', () => {
  it('are as the document says when posts of every kind are deleted, by people and by time', async () => {
    const { control, examples, arrivals } = await runWithWebhook();
    const ids = Object.values((await examples()).posts).flat();
    const trashed = ids.filter((_, at) => at % 2 === 0);
    const deleted = ids.filter((_, at) => at % 2 === 1);
    for (const id of deleted) expect((await control(`/posts/${id}/delete`, {})).status).toBe(200);
    for (const id of trashed) expect((await control(`/posts/${id}/trash`, {})).status).toBe(200);
    await control('/clock', { advance_days: 31 });
    const sent = await arrivals();
    const posts = sent.map(({ event }) => (event as PostDeletedEvent).data.post);
    expect(posts.map(({ id }) => id).sort()).toEqual([...ids].sort());
    for (const { event, contentType } of sent) {
      expect(contentType).toBe('application/json');
      expect(faultsOf(event)).toEqual([]);
    }
    expect(posts.filter(({ deletedBy }) => deletedBy === null)).toHaveLength(trashed.length);
    for (const field of ['linkedIn', 'x', 'campaign'] as const) {
      expect(posts.map((post) => post[field] === null)).toEqual(
        expect.arrayContaining([true, false]),
      );
    }
  });

  it('are as the document says when people are invited, with and without an account', async () => {
    const { control, examples, arrivals } = await runWithWebhook();
    const [user] = (await examples()).users;
    for (const email of ['someone.new@people.example', user?.email]) {
      expect((await control('/invites', { email })).status).toBe(200);
    }
    const sent = await arrivals();
    expect(sent.map(({ event }) => event.data)).toMatchObject([
      { invite: { sentEmail: true } },
      { invite: { sentEmail: false } },
    ]);
    expect(sent.flatMap(({ event }) => faultsOf(event))).toEqual([]);
  });
});
