import { OpenAPIClientAxios, type UnknownParamsObject } from 'openapi-client-axios';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { Examples } from '../../src/sandbox/state/workspace-state.ts';
import { runSandbox } from '../sandbox/running-sandbox.ts';
import { document } from './support/document-readings.ts';
import { findAnswer } from './support/documented-answers.ts';
import { faultsOfDocument, validatorOf } from './support/foreign-validator.ts';

type Arguments = readonly [parameters: UnknownParamsObject, body?: unknown];

/** What each operation is called with so that it is carried out, by its name in the document. */
function callsOf({ profiles }: Sandbox, examples: Examples): Readonly<Record<string, Arguments>> {
  const [user] = examples.users;
  const [postId = ''] = examples.posts_with_comments;
  const [scheduled = ''] = examples.posts.Scheduled;
  const approvals = [{ userId: user?.id, message: 'Please look', isBlocking: false }];
  return {
    listLinkedInAnalytics: [{ profileId: profiles[0]?.id ?? '', startDate: '2025-01-01' }],
    getPost: [{ id: postId }],
    listApprovals: [{ postId }],
    createApprovals: [{}, { postId, approvals }],
    listInlineComments: [{ postId, channel: 'LinkedIn', resolved: 'false' }],
    unschedulePost: [{ id: scheduled }],
    archiveIdea: [{ id: examples.ideas[0] ?? '' }],
    deleteEngagement: [{ id: examples.engagements[0]?.id ?? '' }],
  };
}

/** A client that knows nothing but the document that the sandbox serves. */
async function makeClient(sandbox: Sandbox) {
  const client = new OpenAPIClientAxios({
    definition: new URL('/openapi.json', sandbox.url).href,
    axiosConfigDefaults: {
      headers: { authorization: `Bearer ${sandbox.keys.valid}` },
      validateStatus: () => true,
    },
  });
  await client.init();
  return client;
}

async function runWithClient() {
  const { sandbox, control } = await runSandbox({ posts: 400 });
  const client = await makeClient(sandbox);
  const examples = (await control('/examples')).body as Examples;
  const faultsIn = validatorOf(client.document, new URL('/openapi.json', sandbox.url).href);
  const calls = callsOf(sandbox, examples);
  return { client, calls, faultsIn, names: client.getOperations().map((each) => each.operationId) };
}

describe('the document, read by programs that others wrote', () => {
  it('is valid by the schema of the OpenAPI Initiative', async () => {
    expect(await faultsOfDocument(document)).toEqual([]);
  });

  it('is enough to call every operation, whose answers fit it', async () => {
    const { client, calls, faultsIn, names } = await runWithClient();
    expect(names.sort()).toEqual(Object.keys(calls).sort());
    for (const [name, [parameters, body]] of Object.entries(calls)) {
      const answer = await client.client[name]?.(parameters, body);
      expect(answer?.status, name).toBe(200);
      expect(await faultsIn(findAnswer(name, 200).schemaPointer, answer?.data), name).toEqual([]);
    }
  });
});
