import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { json, refusal, reset, serve, text, type Behaviour } from '../api/bad-service.ts';
import { cliEntry, runCli, writeFiles } from '../support/cli.ts';
import { jobFolder } from '../support/job-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const id = '6f1c1c1e-3f0a-4a35-9d0e-0f8f4a7d2b11';
const userId = '0e9b6c52-7f57-4f0a-9f43-0c1f5b6f2a10';
const at = '2026-01-15T12:00:00.000Z';

const post = {
  id,
  url: 'https://app.example.com/posts/1',
  title: 'Heat pumps \u001b[31mred',
  channels: ['LinkedIn', 'Twitter'],
  status: 'Finalized',
  publishDate: '2026-01-20',
  publishAt: '2026-01-20T08:00:00.000Z',
  updatedAt: at,
};
const details = {
  ...post,
  status: 'Scheduled',
  createdAt: at,
  labels: [{ id, name: 'Event', color: '#5b21b6', backgroundColor: '#ede9fe' }],
  linkedIn: {
    profile: { id, name: 'Halden Grid', detail: 'halden-grid' },
    copy: 'Line one\nLine two',
    assets: [],
  },
};
const person = { id: userId, firstName: 'Åse', lastName: 'Berg', createdAt: at };
const approval = {
  id,
  status: 'Requested',
  isBlocking: true,
  message: 'Please look',
  dueDate: '2026-01-20T22:59:59.000Z',
  approvedAt: null,
  createdAt: at,
  user: { ...person, email: 'ase@example.com' },
  requestedBy: { ...person, firstName: 'Ingrid', email: 'ingrid@example.com' },
};
const account = { id: userId, firstName: 'Åse', lastName: 'Berg', email: 'ase@example.com' };
const thread = {
  id: 'thread_1',
  resolved: false,
  channel: 'LinkedIn',
  highlightedText: 'Line one',
  replies: [
    {
      id: 'reply_1',
      user: account,
      message: `Is that so, @[Ingrid Berg](${id})?`,
      createdAt: at,
      reactions: [{ emoji: '👍', users: [account] }],
    },
  ],
  createdAt: at,
  updatedAt: at,
};

/** A job folder whose workspace gives the configured responses. */
async function against(...behaviours: readonly Behaviour[]) {
  const bodies: string[] = [];
  const service = await serve(...behaviours);
  service.server.prependListener('request', (request) => {
    request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
  });
  const folder = await jobFolder({ url: service.baseUrl, top: 'timezone: Europe/Berlin' });
  const sent = () => service.requests.map(({ method, url }) => `${method} ${url}`);
  return { ...folder, sent, bodies };
}

describe('commands that read', () => {
  it('show a post with its labels and contents, without terminal control sequences from it', async () => {
    const { run, sent } = await against(json(200, { post: details }));
    const { code, stdout, stderr } = await run('posts', 'get', id.toUpperCase());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const part of ['Heat pumps ␛[31mred', 'Scheduled', 'Event', 'Halden Grid', 'Line two']) {
      expect(stdout).toContain(part);
    }
    expect(stdout).toContain('2026-01-20 09:00');
    expect(stdout).not.toContain('\u001b');
    expect(sent()).toEqual([`GET /api/v1/posts/${id}`]);
  });

  it('list approvals with person, status, due time and blocking', async () => {
    const { run, sent } = await against(json(200, { approvals: [approval] }));
    const { code, stdout } = await run('approvals', 'list', id);
    expect(code).toBe(0);
    for (const part of ['Åse Berg', 'ase@example.com', 'Requested', '2026-01-20 23:59']) {
      expect(stdout).toContain(part);
    }
    expect(sent()).toEqual([`GET /api/v1/posts/${id}/approvals`]);
  });

  it('list comment threads with the names of mentioned people, filtered by channel and state', async () => {
    const { run, sent } = await against(json(200, { inlineComments: [thread] }));
    const filters = ['--channel', 'linkedin', '--resolved', 'false'];
    const { code, stdout } = await run('comments', 'list', id, ...filters);
    expect(code).toBe(0);
    expect(stdout).toContain('Is that so, @Ingrid Berg?');
    expect(sent()).toEqual([
      `GET /api/v1/posts/${id}/inline-comments?channel=LinkedIn&resolved=false`,
    ]);
  });

  it.each([
    ['posts', 'get', { post: details }],
    ['approvals', 'list', { approvals: [] }],
    ['comments', 'list', { inlineComments: [thread] }],
  ])('print the bytes of the response for --json: %s %s', async (group, command, answer) => {
    const body = `${JSON.stringify({ ...answer, big: 1 }, null, 3)} \n`.replace(
      '"big": 1',
      '"big": 123456789012345678901234567890',
    );
    const { run } = await against(text(200, body, { 'content-type': 'application/json' }));
    expect(await run(group, command, id, '--json')).toMatchObject({
      code: 0,
      stdout: body,
      stderr: '',
    });
  });

  it('warn of a response that does not have the documented form, and print it for --json', async () => {
    const odd = { post: { ...details, labels: null } };
    const { run } = await against(json(200, odd));
    const plain = await run('posts', 'get', id);
    expect(plain).toMatchObject({ code: 1, stdout: '' });
    expect(plain.stderr).toContain('does not have the documented form (post.labels: ');
    const asJson = await run('posts', 'get', id, '--json');
    expect(asJson).toMatchObject({ code: 0, stdout: JSON.stringify(odd) });
    expect(asJson.stderr).toContain('post.labels');
  });
});

const request = ['approvals', 'request', id, '--user', userId];
const changes: readonly { args: string[]; sends: string; answer: object; says: string }[] = [
  {
    args: ['posts', 'unschedule', id],
    sends: `POST /api/v1/posts/${id}/unschedule`,
    answer: post,
    says: 'Finalized',
  },
  {
    args: request,
    sends: 'POST /api/v1/approvals',
    answer: { createdApprovals: [approval], existingApprovals: [] },
    says: 'createdApprovals',
  },
  {
    args: ['ideas', 'archive', id],
    sends: `POST /api/v1/ideas/${id}/archive`,
    answer: { id, workspaceId: userId, archivedAt: at },
    says: `Idea ${id} has been in the trash since 2026-01-15 13:00`,
  },
  {
    args: ['engagements', 'delete', id],
    sends: `DELETE /api/v1/engagements/${id}`,
    answer: { success: true },
    says: `Auto-engagement ${id} was removed from its post.`,
  },
];

describe('commands that change something', () => {
  it.each(changes)(
    'send one request with --yes, and none where nobody can be asked: $sends',
    async ({ args, sends, answer, says }) => {
      const { run, sent } = await against(json(200, answer));
      const unasked = await run(...args);
      expect([unasked.code, unasked.stdout, sent()]).toEqual([2, '', []]);
      expect(unasked.stderr).toContain('--yes');
      const { code, stdout, stderr } = await run(...args, '--yes');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(says);
      expect(sent()).toEqual([sends]);
      expect(await run(...args, '--yes', '--json')).toMatchObject({
        code: 0,
        stdout: JSON.stringify(answer),
      });
    },
  );

  it.each([
    ['engagements', 'delete', { success: false }],
    ['ideas', 'archive', { message: 'Please log in' }],
    ['posts', 'unschedule', { ...post, status: 'Scheduled' }],
    ['posts', 'unschedule', { ...post, status: 'ToDo' }],
    ['posts', 'unschedule', { ...post, id: userId }],
    ['ideas', 'archive', { id: userId, workspaceId: id, archivedAt: at }],
  ])(
    'fail when the response does not confirm the change, also with --json: %s %s',
    async (...change) => {
      const [group, command, answer] = change;
      const { run } = await against(json(200, answer), json(200, { post: details }));
      const { code, stdout, stderr } = await run(group, command, id, '--yes', '--json');
      expect({ code, stdout }).toEqual({ code: 1, stdout: JSON.stringify(answer) });
      expect(stderr).toContain('it is unknown whether this was carried out');
    },
  );

  it('say how to look when the answer to unscheduling is lost, and look at nothing themselves', async () => {
    const { run, sent } = await against(reset);
    const { code, stderr } = await run('posts', 'unschedule', id, '--yes', '--json');
    expect(code).toBe(1);
    expect(stderr).toContain('it is unknown whether this was carried out; look at its status: ');
    expect(stderr).toContain(`postledger posts get ${id} --workspace acme --json`);
    expect(sent()).toEqual([`POST /api/v1/posts/${id}/unschedule`]);
  });

  it('ask each person once, until the end of the day in the time zone of the config', async () => {
    const answer = {
      createdApprovals: [approval],
      existingApprovals: [{ ...approval, id: userId, user: { ...approval.user, id } }],
    };
    const { run, bodies } = await against(json(201, answer));
    const wishes = ['--message', 'Please look', '--due', '2026-01-20', '--blocking', '--yes'];
    const { code, stdout, stderr } = await run(
      ...request,
      '--user',
      userId,
      '--user',
      id,
      ...wishes,
    );
    expect(code).toBe(0);
    expect(stderr).toContain('the approval is due in the past: 2026-01-20T22:59:59.999Z');
    expect(stdout).toMatch(
      /createdApprovals\n[^]*Please look[^]*existingApprovals\n[^]*Please look/,
    );
    const rest = { message: 'Please look', dueDate: '2026-01-20T22:59:59.999Z', isBlocking: true };
    expect(JSON.parse(bodies.join(''))).toEqual({
      postId: id,
      approvals: [
        { userId, ...rest },
        { userId: id, ...rest },
      ],
    });
  });

  it('leave missing messages and due dates to the API, and send times in UTC', async () => {
    const answer = { createdApprovals: [], existingApprovals: [approval] };
    const { run, bodies } = await against(json(200, answer));
    await run(...request, '--yes');
    await run(...request, '--due', '2026-01-20T10:00:00+01:00', '--yes');
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
      { postId: id, approvals: [{ userId, isBlocking: false }] },
      {
        postId: id,
        approvals: [{ userId, dueDate: '2026-01-20T09:00:00.000Z', isBlocking: false }],
      },
    ]);
  });
});

/** Runs a command whose standard output goes elsewhere, as a shell sends it. */
async function runTo(redirection: string, command: string, folder: string) {
  const line = `"$0" "$1" ${command} ${redirection}`;
  const child = spawn('bash', ['-c', line, process.execPath, cliEntry], { cwd: folder });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, stderr };
}

describe('a result that cannot be written', () => {
  it('is reported, since the change was made', async () => {
    const { folder, sent } = await against(json(200, { success: true }));
    const command = `engagements delete ${id} --yes`;
    const { code, stderr } = await runTo('> /dev/full', command, folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /could not be written to standard output \(.*ENOSPC.*\); the command itself has finished/,
    );
    expect(sent()).toHaveLength(1);
  });
});

describe('wrong usage', () => {
  it.each([
    [['posts', 'get', 'x'], 'Give a UUID'],
    [['approvals', 'request', id, '--yes'], "required option '--user <id>' not specified"],
    [['approvals', 'request', id, '--user', 'me', '--yes'], 'Give a UUID'],
    [[...request, '--due', '2026-02-30', '--yes'], 'Give a day as YYYY-MM-DD'],
    [['comments', 'list', id, '--channel', 'Fax'], 'Give one of LinkedIn, Twitter'],
    [['comments', 'list', id, '--resolved', 'yes'], 'Give true or false'],
    [['posts', 'get', id, '--workspace', 'acne'], 'did you mean "acme"?'],
    [['posts', 'delete', id], "unknown command 'delete'"],
  ])('exits with 2 and sends no request: %j', async (args, message) => {
    const { run, sent } = await against(json(200, {}));
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(sent()).toEqual([]);
  });

  it('includes leaving out --workspace with several workspaces, and only the key of the named one is needed', async () => {
    const service = await serve(json(200, { approvals: [] }));
    const folder = await temporaryFolder();
    const workspace = (name: string) =>
      `  ${name}: { base_url: "${service.baseUrl}", api_key: "\${${name.toUpperCase()}_KEY}", profiles: [] }\n`;
    await writeFiles(folder, {
      'jobs.yaml': `workspaces:\n${workspace('acme')}${workspace('fjord')}jobs: {}\n`,
    });
    const run = (...args: string[]) =>
      runCli(['approvals', 'list', id, ...args], { cwd: folder, env: { FJORD_KEY: 'k' } });
    const unnamed = await run();
    expect(unnamed.code).toBe(2);
    expect(unnamed.stderr).toContain('name one with --workspace: acme, fjord');
    expect(await run('--workspace', 'fjord')).toMatchObject({ code: 0 });
    const unset = await run('--workspace', 'acme');
    expect(unset.code).toBe(2);
    expect(unset.stderr).toContain('the environment variable ACME_KEY is not set');
    expect(service.requests).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it('of values is printed field by field', async () => {
    const errors = {
      'approvals.0.userId': ['No member of this workspace'],
      'approvals.0.dueDate': ['Is in the past', 'Is a \u001b[2JSunday'],
    };
    const body = { code: 'BAD_REQUEST', message: 'Bad Request', data: { errors } };
    const { run } = await against(json(400, body));
    const { code, stdout, stderr } = await run(...request, '--yes');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      [
        `error: POST /approvals (post ${id}): Bad Request (400)`,
        '  approvals.0.userId: No member of this workspace',
        '  approvals.0.dueDate: Is in the past, Is a  [2JSunday',
        'correct this and try again',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [401, 'UNAUTHORIZED', 'Invalid or unauthorized API key', 'check PLAIN_KEY'],
    [
      404,
      'NOT_FOUND',
      'Idea not found',
      'it does not exist, was deleted, or belongs to a different workspace',
    ],
  ])('with status %i exits with 1 and says what to do', async (status, code, message, advice) => {
    const { run, sent } = await against(refusal(status, code, message));
    const finished = await run('ideas', 'archive', id, '--yes');
    expect(finished).toMatchObject({ code: 1, stdout: '' });
    expect(finished.stderr).toContain(`${message} (${status}); `);
    expect(finished.stderr).toContain(advice);
    expect(sent()).toHaveLength(1);
  });

  it('for the rate limit delays a change until the limit allows it', async () => {
    const limited = refusal(429, 'TOO_MANY_REQUESTS', 'Quota resets in 1 seconds');
    const { run, sent } = await against(limited, json(200, { success: true }));
    const { code, stderr } = await run('engagements', 'delete', id, '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain('rate limit is exceeded');
    expect(sent()).toHaveLength(2);
  });
});
