import { z } from 'zod';
import { fieldOf } from '../core/own-field.ts';
import {
  isCount,
  isNestedDeeper,
  parseDigits,
  repairJsonText,
  writeExactly,
} from '../core/exact-json.ts';

/** A post's details as the statements of sql/load/post_details.sql take them. */
export interface StagedDetails {
  readonly title: string | null;
  readonly url: string | null;
  readonly status: string | null;
  readonly channels: string[] | null;
  readonly publish_date: string | null;
  readonly publish_at: string | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly labels: StagedLabel[] | null;
  /** JSON of what it says in each channel; null when it is not there. */
  readonly linkedin: string | null;
  readonly x: string | null;
  /** JSON, of the fields that are not documented; null when there are none. */
  readonly extra: string | null;
}

export interface StagedLabel {
  readonly label_id: string;
  readonly name: string | null;
  readonly color: string | null;
  readonly background_color: string | null;
}

const text = z.string().nullish();
const time = z.iso
  .datetime({ offset: true, local: true, error: 'expected an ISO 8601 time' })
  .nullish();
const count = z.number().refine(isCount, { error: 'expected an integer of 64 bits' }).nullish();

const assetSchema = z.looseObject({
  id: z.string().min(1),
  name: text,
  url: text,
  mimetype: text,
  size: count,
  width: count,
  height: count,
  duration: z.number().nullish(),
});

const assets = z.array(assetSchema).nullish();
const linkedInSchema = z.looseObject({ copy: text, assets });
const xSchema = z.looseObject({
  tweets: z.array(z.looseObject({ copy: text, assets })).nullish(),
});

/** Strict on types, and on nothing else: a field that is missing is not known. */
const postSchema = z.looseObject({
  id: z.string().min(1),
  url: text,
  title: text,
  channels: z.array(z.string()).nullish(),
  status: text,
  publishDate: z.iso.date({ error: 'expected a date, YYYY-MM-DD' }).nullish(),
  publishAt: time,
  createdAt: time,
  updatedAt: time,
  labels: z
    .array(z.looseObject({ id: z.string().min(1), name: text, color: text, backgroundColor: text }))
    .nullish(),
  linkedIn: linkedInSchema.nullish(),
  x: xSchema.nullish(),
});
type Post = z.infer<typeof postSchema>;

const answerSchema = z.looseObject({ post: postSchema });

/** Deeper than any post, and shallow enough for whatever calls itself for each level. */
const deepest = 1000;

/** Either the details, or in words why the answer cannot be taken. */
export type ReadDetails = { readonly details: StagedDetails } | { readonly problem: string };

/** Reads the body of `GET /posts/{id}`. @param postId the post that was asked for */
export function readDetails(body: string, postId: string): ReadDetails {
  const json = repairJsonText(body);
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return { problem: 'the answer is not JSON' };
  }
  if (isNestedDeeper(json, deepest))
    return { problem: `the answer is nested more than ${deepest} deep` };
  const answer = answerSchema.safeParse(parsed);
  if (!answer.success) return { problem: problemOf(answer.error) };
  const { post } = answer.data;
  if (post.id !== postId) return { problem: `post.id: expected ${postId}, got ${post.id}` };
  const digits = z.looseObject({ post: z.looseObject({}) }).parse(parseDigits(json));
  return { details: stageDetails(post, digits.post) };
}

function stageDetails(post: Post, digits: object): StagedDetails {
  const { linkedIn, x } = post;
  const unknown = Object.entries(post).filter(([key]) => !Object.hasOwn(postSchema.shape, key));
  return {
    title: post.title ?? null,
    url: post.url ?? null,
    status: post.status ?? null,
    channels: post.channels ?? null,
    publish_date: post.publishDate ?? null,
    publish_at: post.publishAt ?? null,
    created_at: post.createdAt ?? null,
    updated_at: post.updatedAt ?? null,
    labels: post.labels?.map(stageLabel) ?? null,
    linkedin: linkedIn ? writeExactly(linkedIn, fieldOf(digits, 'linkedIn')) : null,
    x: x ? writeExactly(x, fieldOf(digits, 'x')) : null,
    extra: jsonOrNull(Object.fromEntries(unknown), digits),
  };
}

/** A label as details and events give it. */
interface GivenLabel {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly color?: string | null | undefined;
  readonly backgroundColor?: string | null | undefined;
}

export function stageLabel(label: GivenLabel): StagedLabel {
  return {
    label_id: label.id,
    name: label.name ?? null,
    color: label.color ?? null,
    background_color: label.backgroundColor ?? null,
  };
}

function jsonOrNull(fields: object, digits: object): string | null {
  return Object.keys(fields).length === 0 ? null : writeExactly(fields, digits);
}

function problemOf(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
}
