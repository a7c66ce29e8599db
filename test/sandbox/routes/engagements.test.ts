import { describe, expect, it } from 'vitest';
import { runSandbox } from '../running-sandbox.ts';

const notFound = { status: 404, body: { code: 'NOT_FOUND', message: 'Engagement not found' } };

describe('DELETE /engagements/{id}', () => {
  it('removes an engagement from its post once, and leaves the others', async () => {
    const { send, examples } = await runSandbox();
    const before = (await examples()).engagements;
    const [first] = before;
    const path = `/engagements/${first?.id ?? ''}`;
    expect(await send('DELETE', path)).toEqual({ status: 200, body: { success: true } });
    expect(await send('DELETE', path)).toEqual(notFound);
    const after = (await examples()).engagements;
    expect(after.slice(0, 4)).toEqual(before.slice(1));
    expect(before.every(({ kind }) => ['like', 'comment', 'repost'].includes(kind))).toBe(true);
  });

  it.each(['unknown', '42', '00000000-0000-4000-8000-000000000000', '%00'])(
    'answers 404 to %s, as no engagement has that id',
    async (id) => {
      const { send } = await runSandbox();
      expect(await send('DELETE', `/engagements/${id}`)).toEqual(notFound);
    },
  );

  it('answers 404 for an engagement whose post was deleted', async () => {
    const { send, control, examples } = await runSandbox();
    const [first] = (await examples()).engagements;
    await control(`/posts/${first?.post_id ?? ''}/delete`, {});
    expect(await send('DELETE', `/engagements/${first?.id ?? ''}`)).toEqual(notFound);
  });
});
