import { describe, expect, it } from 'vitest';
import { runSandbox } from '../running-sandbox.ts';
import { archivedIdea } from '../strict-shapes.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const notFound = { status: 404, body: { code: 'NOT_FOUND', message: 'Idea not found' } };

async function runWithIdea() {
  const running = await runSandbox();
  const [id = ''] = (await running.examples()).ideas;
  return { ...running, id, path: `/ideas/${id}/archive` };
}

describe('POST /ideas/{id}/archive', () => {
  it('moves an idea to the trash at once', async () => {
    const { send, examples, id, path } = await runWithIdea();
    const { status, body } = await send('POST', path);
    expect(status).toBe(200);
    expect(archivedIdea.parse(body)).toMatchObject({ id, archivedAt: '2026-01-15T12:00:00.000Z' });
    const { ideas, in_trash: trash } = await examples();
    expect(trash.ideas).toEqual([id]);
    expect(ideas).not.toContain(id);
  });

  it('answers the same again while the idea is in the trash', async () => {
    const { send, control, path } = await runWithIdea();
    const first = await send('POST', path);
    await control('/clock', { advance_days: 29 });
    expect(await send('POST', path)).toEqual(first);
  });

  it('deletes the idea after 30 days, even when the clock is moved back then', async () => {
    const { send, control, path } = await runWithIdea();
    await send('POST', path);
    await control('/clock', { now: '2026-02-14T11:59:59.999Z' });
    expect((await send('POST', path)).status).toBe(200);
    await control('/clock', { now: '2026-02-14T12:00:00Z' });
    expect(await send('POST', path)).toEqual(notFound);
    await control('/clock', { advance_days: -60 });
    expect(await send('POST', path)).toEqual(notFound);
  });

  it('is undone by restoring the idea, which can then be archived again', async () => {
    const { send, control, id, path } = await runWithIdea();
    await send('POST', path);
    expect(await control(`/ideas/${id}/restore`, {})).toEqual({
      status: 200,
      body: { id, archivedAt: null },
    });
    await control('/clock', { advance_days: 31 });
    expect((await send('POST', path)).body).toMatchObject({
      id,
      archivedAt: '2026-02-15T12:00:00.000Z',
    });
  });

  it('cannot be undone once the idea is gone', async () => {
    const { send, control, id, path } = await runWithIdea();
    await send('POST', path);
    await control('/clock', { advance_days: 30 });
    expect(await control(`/ideas/${id}/restore`, {})).toEqual(notFound);
  });

  it('answers 404 to an unknown idea and 400 to an id that is not a UUID', async () => {
    const { send } = await runSandbox();
    expect(await send('POST', `/ideas/${unknownId}/archive`)).toEqual(notFound);
    expect(await send('POST', '/ideas/42/archive')).toEqual({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: 'Bad Request',
        data: { errors: { id: ['Invalid uuid'] } },
      },
    });
  });
});
