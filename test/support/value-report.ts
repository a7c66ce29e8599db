/**
 * The files of a report `value` of one section, for tests that need any report: a built-in one takes thirty times as
 * long.
 */
export const valueReport = {
  'reports/value/report.yaml': `title: Value
description: Media value by post.
parameters:
  minimum:
    type: integer
    default: 500
    help: Nothing depends on it.
sections:
  - name: posts
    title: Posts
    description: By post.
    key: [linkedin_post_id]
`,
  'reports/value/posts.sql': `select linkedin_post_id, profile, commentary, emv
from report_posts
order by linkedin_post_id;
`,
  'reports/value/_lede.sql': `select '{emv:money} of media value.' as text, sum(emv) as emv
from report_posts;
`,
};

/** Another one, `words`. */
export const wordsReport = Object.fromEntries(
  Object.entries(valueReport).map(([path, text]) => [
    path.replace('value', 'words'),
    text.replace('title: Value', 'title: Words'),
  ]),
);

/** A card of the first, for tests of key figures. */
export const valueCard = {
  'reports/value/_cards.sql': `select 'EMV' as label, 'money' as format, sum(emv) as value
from report_posts;
`,
};
