// Answers requests for analytics with some posts a day, the same for each request, up to a last day.
import { createServer } from 'node:http';
import { analyticsRecord, commentary, dayMs, linkTo } from './data-folder.mjs';

const [perDay, lastDay] = process.argv.slice(2).map(Number);

function recordOf(profile, day, number) {
  const post = day * 1_000 + number;
  const impressions = (post * 7919) % 50_000;
  return analyticsRecord({
    id: `${profile.slice(-12)}-0000-4000-8000-${String(post).padStart(12, '0')}`.slice(4),
    commentary: commentary(post),
    publishedAt: new Date(day * dayMs + number * 60_000).toISOString(),
    likeCount: post % 100,
    impressionCount: impressions,
    engagement: impressions === 0 ? 0 : (post % 100) / impressions,
    emv: (impressions / 1000) * 30,
    servicePost: post % 3 === 0 ? linkTo(`p${profile.slice(-2)}-${post}`, post) : null,
  });
}

function answerTo({ pathname, searchParams }) {
  const profile = /\/linkedin\/([^/]+)\/posts$/.exec(pathname)?.[1] ?? '';
  const [first, last] = ['startDate', 'endDate'].map(
    (name) => Date.parse(searchParams.get(name)) / dayMs,
  );
  const records = [];
  for (let day = first; day <= Math.min(last, lastDay); day += 1)
    // not the same number each day: answers of one length look cut off
    for (let number = 0; number < perDay - 1 + (day % 3); number += 1)
      records.push(recordOf(profile, day, number));
  return JSON.stringify(records);
}

const answers = new Map();
const server = createServer(({ url }, response) => {
  if (!answers.has(url)) answers.set(url, answerTo(new URL(url, 'http://service')));
  response.writeHead(200, { 'content-type': 'application/json' }).end(answers.get(url));
});
server.listen(0, '127.0.0.1', () =>
  process.send(`http://127.0.0.1:${server.address().port}/api/v1`),
);
