import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import { problemText } from '../core/machine-problem.ts';
import {
  destinationOf,
  groupOf,
  isReplaced,
  type Act,
  type Delivery,
} from '../deliver/delivery.ts';
import { readAllDeliveries } from '../deliver/outbox.ts';
import { english } from '../languages/phrases.ts';
import {
  createFormatter,
  type Formatter,
  type FormatterOptions,
} from '../languages/number-format.ts';
import { createCalendarWords } from '../render/calendar-words.ts';
import { markdownHtml } from '../render/comment.ts';
import {
  renderHeldPage,
  renderMessagePage,
  renderStatePage,
  type HeldPage,
  type ReviewField,
  type ReviewHtml,
  type ReviewLook,
  type ReviewMail,
} from '../render/html/review-page.ts';
import { allTextsIn, plain, textIn, writeComment } from './comment-fields.ts';
import {
  GroupRenderings,
  heldOf,
  remember,
  type Rendering,
  type RenderingTools,
  type VisitedGroup,
} from './group-renderings.ts';
import { changesOf, type Shown } from './page-changes.ts';
import { mailLooks } from './shown-files.ts';
import type { ReviewAnswer, ReviewPages, ReviewForm, ReviewPage, ShownFile } from './review-app.ts';
import { readerOf } from '../deliver/review-link.ts';
import { saidSentence } from '../deliver/sentence.ts';
import { sendDeliveries, withOutbox } from '../pipeline/deliveries.ts';
import { differenceFromHeld } from '../pipeline/delivery-key.ts';
import { readLook, reasonFor, unreadSentences } from '../pipeline/held-news.ts';
import { putApproved, type GroupMail, type RenderedGroup } from '../pipeline/known-deliveries.ts';
import { earlierComment } from '../pipeline/markdown-file.ts';
import { endOfLinks, linkReaders } from '../pipeline/review-notices.ts';

/** A proxy gives up after a minute, and this server closes a connection on which nothing happens for half a minute. */
const patienceMs = 20_000;
/** The versions of which it is known what they showed. */
const maxShown = 200;

type Tools = RenderingTools & {
  /** Reads jobs.yaml as it is now. */
  readonly loadConfig: () => Promise<Config>;
  /** The path of jobs.yaml. */
  readonly configFile: string;
};

/** A reader's link to a group. */
interface Visit extends VisitedGroup {
  readonly who: string;
  readonly key: string;
}

/** The outcome of a form. */
type Outcome = HeldPage['outcome'];

/** The pages of held mails: the same renderings, approvals and discards as those of the terminal, by people with a link. */
export class HeldMailPages implements ReviewPages {
  readonly #tools: Tools;
  #config: { readonly state: string; readonly config: Config } | null = null;
  readonly #renderings: GroupRenderings;
  readonly #shown = new Map<string, Shown>();
  #acting: Promise<unknown> = Promise.resolve();
  #sending: Promise<unknown> | null = null;
  #sendsAgain = false;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#renderings = new GroupRenderings(tools);
  }

  async open(group: string, key: string): Promise<ReviewPage | null> {
    const { config, state } = await this.#readConfig();
    const { review, dataDir, timezone } = config;
    if (review === null) return null;
    const all = await readAllDeliveries(dataDir);
    const end = endOfLinks(group, all, dayOf(this.#tools.clock.now(), timezone), config);
    const readers = end === null ? [] : linkReaders(config, review);
    const subjects = readers.map((reader) => ({ group, reader, end: end ?? '' }));
    const who = readerOf(key, subjects, review);
    if (who === null) return null;
    const visit = { id: group, who, key, config, state, deliveries: mailsOf(group, all) };
    return {
      show: () => this.#guard(visit, () => this.#show(visit)),
      file: (version, name) => this.#file(visit, version, name),
      act: (form) => this.#guard(visit, () => this.#inTurn(() => this.#act(visit, form))),
    };
  }

  async message(kind: 'unknown' | 'often' | 'failed'): Promise<ReviewHtml> {
    return renderMessagePage(kind, await this.#lookOf());
  }

  /** Waits until what was queued has been tried. */
  async close(): Promise<void> {
    await this.#sending;
  }

  /** jobs.yaml and `.env`, read again where they have changed. */
  async #readConfig() {
    const { configFile, loadConfig } = this.#tools;
    const stamps = [configFile, join(dirname(configFile), '.env')].map(async (path) => {
      const found = await stat(path).catch(() => null);
      return found && `${found.ino} ${found.mtimeMs} ${found.size}`;
    });
    // asked before it is read, so that a change meanwhile is noticed
    const state = JSON.stringify(await Promise.all(stamps));
    if (this.#config?.state !== state) this.#config = { state, config: await loadConfig() };
    return this.#config;
  }

  /** Answers with a page that says that it failed, and logs why. */
  async #guard<Answer>(visit: Visit, work: () => Promise<Answer>): Promise<Answer | ReviewAnswer> {
    try {
      return await work();
    } catch (error) {
      this.#tools.log.error({ group: visit.id }, `the page of a held mail: ${problemText(error)}`);
      return { ...(await this.message('failed')), status: 503 };
    }
  }

  /** Does one thing after the other, so that two people do not do two things with one mail. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#acting.then(work);
    this.#acting = turn.catch(() => undefined);
    return turn;
  }

  async #show(visit: Visit): Promise<ReviewAnswer> {
    if (heldOf(visit).length === 0) return this.#showState(visit, 200);
    const rendering = await this.#within(this.#renderings.render(visit));
    if (rendering === null) return this.#messageFor('rendering', visit, 200);
    return this.#showHeld(visit, rendering, { status: 200 });
  }

  async #messageFor(
    kind: 'rendering' | 'changing' | 'saved',
    visit: Visit,
    status: ReviewAnswer['status'],
    unsaved: readonly string[] = [],
  ): Promise<ReviewAnswer> {
    return { ...renderMessagePage(kind, await this.#lookOf(visit), unsaved), status };
  }

  async #showState(visit: Visit, status: 200 | 409): Promise<ReviewAnswer> {
    const states = visit.deliveries.map((delivery) => {
      const { state, changed_at: at } = delivery.status;
      const shown = isReplaced(delivery) ? ('replaced' as const) : state;
      return { state: shown === 'held' ? ('queued' as const) : shown, at };
    });
    const { brand } = visit.config;
    const look = { ...(await this.#lookOf(visit)), brand };
    const page = renderStatePage(states, historyOf(visit.deliveries), look);
    return { ...page, status };
  }

  async #showHeld(
    visit: Visit,
    rendering: Rendering,
    options: {
      readonly status: 200 | 409;
      readonly outcome?: Outcome;
      readonly fields?: readonly ReviewField[];
    },
  ): Promise<ReviewAnswer> {
    const look = await this.#lookOf(visit, rendering);
    const { version, group, comments } = rendering;
    const href = (name: string) => `${visit.key}/${version}/${name}`;
    const [first] = group.mails;
    const documents = first?.rendered.mail?.documents ?? [];
    const name = visit.deliveries[0]?.record.report ?? '';
    const client = first?.defined.client?.brand.name ?? null;
    const calendar = createCalendarWords(look);
    const own = documents[0] && earlierOf(group.mails[0], look);
    const links = [...rendering.files].map(([name, { name: file, isPage }]) => {
      return { key: name, name: file, href: href(name), isPage };
    });
    const attachedOf = (index: number) => links.filter(({ key }) => key.startsWith(`a${index}-`));
    const mails = mailLooks(group.mails).map(({ mail, recipients }, index): ReviewMail => {
      const { target } = mail.rendered.record;
      const subject = target?.kind === 'mail' ? target.subject : '';
      return { recipients, subject, href: href(`m${index}`), attached: attachedOf(index) };
    });
    const page: HeldPage = {
      title:
        [client, ...new Set(documents.map(({ title }) => title))]
          .filter((part) => part !== null)
          .join(' · ') || name,
      period: documents[0] ? calendar.periodName(documents[0].period) : '',
      who: visit.who,
      version,
      outcome: options.outcome ?? null,
      mails,
      others: links.filter(({ key }) => key.startsWith('f')),
      missing: missingOf(rendering, look),
      earlier: (await own) ?? null,
      fields:
        options.fields ?? comments.map(({ field: name, text }) => ({ name, text, saved: null })),
      obstacle: obstacleOf(group, look),
      isIncomplete: documents.some(({ headline }) => headline !== null),
      history: historyOf(visit.deliveries),
    };
    remember(this.#shown, version, rendering.shown, maxShown);
    return { ...renderHeldPage(page, look), status: options.status };
  }

  async #file(visit: Visit, version: string, name: string): Promise<ShownFile | null> {
    if (heldOf(visit).length === 0) return null;
    // what was looked at, also where something has changed since
    const known = this.#renderings.known(visit.id);
    const rendering =
      known?.version === version ? known : await this.#within(this.#renderings.render(visit));
    return rendering?.version === version ? (rendering.files.get(name) ?? null) : null;
  }

  async #act(opened: Visit, form: ReviewForm): Promise<ReviewAnswer | null> {
    const visit = { ...opened, deliveries: await this.#deliveriesOf(opened) };
    if (heldOf(visit).length === 0) return this.#showState(visit, 409);
    const rendering = await this.#within(this.#renderings.render(visit));
    if (rendering === null) return this.#messageFor('changing', visit, 409, allTextsIn(form));
    const look = await this.#lookOf(visit, rendering);
    const { say } = createFormatter(look);
    const unsaved = rendering.comments.filter(
      ({ field, text }) => textIn(form, field) !== null && textIn(form, field) !== plain(text),
    );
    const fields = rendering.comments.map(({ field: name, text }): ReviewField => {
      const isUnsaved = unsaved.some(({ field }) => field === name);
      return {
        name,
        text: isUnsaved ? (textIn(form, name) ?? '') : text,
        saved: isUnsaved ? text : null,
      };
    });
    if (form.version !== rendering.version) {
      const text = say(
        'Nothing was sent or saved, since something has changed after you opened this page:',
      );
      const changes = changesOf(this.#shown.get(form.version), rendering.shown, look);
      return this.#showHeld(visit, rendering, { status: 409, outcome: { text, changes }, fields });
    }
    if (form.action === 'discard') return this.#discard(visit, rendering, form);
    for (const { field, path } of unsaved)
      if (form.action === 'save' || form.action === 'send')
        await writeComment(path, textIn(form, field) ?? '');
    if (unsaved.length > 0) await this.#noteComment(visit);
    if (form.action !== 'send') return null;
    if (unsaved.length > 0) {
      const text = say(
        'Your comment is saved. Nothing was sent yet: look at the mail as it is now, then send it.',
      );
      const again = { ...visit, deliveries: await this.#deliveriesOf(visit) };
      const renewed = await this.#within(this.#renderings.render(again));
      if (renewed === null) return this.#messageFor('saved', visit, 409);
      return this.#showHeld(again, renewed, { status: 409, outcome: { text, changes: [] } });
    }
    return this.#approve(visit, rendering);
  }

  async #approve(visit: Visit, rendering: Rendering): Promise<ReviewAnswer | null> {
    const { mails } = rendering.group;
    if (obstacleOf(rendering.group, await this.#lookOf(visit, rendering)) !== null)
      return this.#showHeld(visit, rendering, { status: 409 });
    const tools = { ...this.#tools, config: visit.config };
    const act = this.#actOf(visit, 'approved');
    const isDone = await withOutbox(tools, async (outbox) => {
      for (const { rendered } of mails) {
        const known = await outbox.find(rendered.record.id);
        if (known !== null && known.status.state !== 'held') return false;
      }
      for (const { rendered } of mails) await putApproved(rendered, act, outbox, tools);
      return true;
    });
    if (!isDone)
      return this.#showState({ ...visit, deliveries: await this.#deliveriesOf(visit) }, 409);
    this.#renderings.forget(visit.id);
    this.#send(visit.config);
    return null;
  }

  async #discard(
    visit: Visit,
    { group: { mails } }: Rendering,
    { note }: ReviewForm,
  ): Promise<ReviewAnswer | null> {
    const why = plain(note).replaceAll(/\s+/g, ' ').slice(0, 500);
    const act = { ...this.#actOf(visit, 'discarded'), ...(why !== '' && { note: why }) };
    const reason = `${visit.who} decided not to send it${why === '' ? '' : `: ${why}`}`;
    const change = { reason, history: [act] };
    await withOutbox({ ...this.#tools, config: visit.config }, async (outbox) => {
      for (const { record } of heldOf(visit)) {
        const known = await outbox.find(record.id);
        if (known?.status.state === 'held') await outbox.set(known, 'discarded', change);
      }
      // a recipient of whom nothing was known yet gets none either
      for (const { delivery, rendered } of mails)
        if (delivery === null && (await outbox.find(rendered.record.id)) === null)
          await outbox.put(rendered.record, rendered.files, { state: 'discarded', ...change });
    });
    this.#renderings.forget(visit.id);
    return null;
  }

  #noteComment(visit: Visit): Promise<void> {
    const act = this.#actOf(visit, 'commented');
    return withOutbox({ ...this.#tools, config: visit.config }, async (outbox) => {
      for (const { record } of heldOf(visit)) {
        const known = await outbox.find(record.id);
        if (known?.status.state === 'held') await outbox.note(known, act);
      }
    });
  }

  #actOf({ who }: Visit, did: Act['did']): Act {
    return { did, who, at: this.#tools.clock.now().toISOString() };
  }

  async #deliveriesOf({ id, config }: Visit): Promise<Delivery[]> {
    return mailsOf(id, await readAllDeliveries(config.dataDir));
  }

  /** Sends what is queued while people go on. What a killed process has queued is sent by the next catch-up. */
  #send(config: Config): void {
    this.#sendsAgain = true;
    this.#sending ??= (async () => {
      while (this.#sendsAgain) {
        this.#sendsAgain = false;
        await sendDeliveries({ ...this.#tools, config }).catch((error: unknown) => {
          this.#tools.log.warn({}, `not sent yet: ${problemText(error)}; catch-up tries again`);
        });
      }
      this.#sending = null;
    })();
  }

  /** Renders a group unless nothing has changed since, one at a time. */
  /** @returns null if it takes longer than a request may */
  async #within<Result>(work: Promise<Result>): Promise<Result | null> {
    const answered = new AbortController();
    const late = this.#tools.clock.sleep(patienceMs, answered.signal).then(() => null);
    try {
      return await Promise.race([work, late]);
    } finally {
      answered.abort();
      for (const each of [work, late]) each.catch(() => undefined);
    }
  }

  /** The words and colours of the client, else of the agency. */
  async #lookOf(
    visit: Visit | null = null,
    rendering: Rendering | null = null,
  ): Promise<ReviewLook> {
    const document = rendering?.group.mails[0]?.rendered.mail?.documents[0];
    if (document) return document;
    const config = visit?.config ?? (await this.#readConfig().catch(() => null))?.config;
    if (config === undefined)
      return { locale: 'en-US', currency: 'USD', timezone: 'UTC', language: english, brand: null };
    const client = config.clients.get(visit?.deliveries[0]?.record.client ?? '');
    return readLook(client ?? config);
  }
}

function mailsOf(group: string, all: readonly Delivery[]): Delivery[] {
  return all.filter(({ record }) => groupOf(record) === group && record.target?.kind === 'mail');
}

/** Says what keeps a group from being sent; null: nothing does. */
function obstacleOf({ mails, errors }: RenderedGroup, look: FormatterOptions): string | null {
  const { say } = createFormatter(look);
  if (errors.length > 0) return say('A report could not be rendered, so nothing can be sent.');
  if (mails.length === 0)
    return say('It cannot be sent, since jobs.yaml has none of its recipients any more.');
  const isWanting = mails.some(({ rendered }) => rendered.first.waits_for?.kind === 'comment');
  return isWanting ? say('It needs a comment before it can be sent.') : null;
}

/** What people did with the mails of a group, each once, oldest first. */
function historyOf(deliveries: readonly Delivery[]): Act[] {
  const acts = deliveries.flatMap(({ status }) => status.history ?? []);
  const unique = new Map(acts.map((act) => [JSON.stringify(act), act]));
  return [...unique.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** What is missing in a mail or not final, and why it waits. */
function missingOf({ group }: Rendering, look: ReviewLook): string[] {
  const formatter = createFormatter(look);
  const { say } = formatter;
  const { mails, gone, errors } = group;
  const documents = mails.flatMap(({ rendered }) => rendered.mail?.documents ?? []);
  const days = documents.flatMap(({ unreadDays }) => unreadDays);
  const isForPerson = mails.some(({ defined: { delivery, reports } }) => {
    const comments = [delivery.comment, ...reports.map(({ comment }) => comment)];
    return delivery.isHeld || comments.some((comment) => comment?.isRequired === true);
  });
  const next = isForPerson
    ? say('Once all days were read, it is rendered again and waits for you here.')
    : say('Once all days were read, it is rendered again and sent by itself.');
  const isIncomplete = documents.some(({ headline }) => headline !== null);
  const reasons = mails.flatMap((mail) => reasonsOf(mail, formatter));
  const lost = gone.map(({ record }) =>
    say('{recipient:text} does not get it: jobs.yaml no longer has this recipient.', {
      recipient: destinationOf(record.target),
    }),
  );
  const all = [
    ...documents.flatMap(({ headline }) => headline ?? []),
    ...unreadSentences(days, formatter),
    ...(isIncomplete ? [next] : []),
    ...documents.flatMap(({ caveats }) => caveats),
    ...reasons,
    ...lost,
    ...(errors.length > 0 ? [say('A report could not be rendered.')] : []),
  ];
  return [...new Set(all)];
}

/** Says what of a mail is another than a person would expect: than when it was held, or than what was sent. */
function reasonsOf({ delivery, rendered: { record, first } }: GroupMail, formatter: Formatter) {
  const wait = delivery?.status.waits_for;
  const difference = delivery && differenceFromHeld(delivery.record, record);
  const isOfBoth = wait?.kind === 'approval' && wait.differs_from === undefined;
  return [
    reasonFor(first, formatter),
    isOfBoth ? reasonFor(delivery?.status ?? {}, formatter) : null,
    difference && saidSentence(difference, formatter),
  ].filter((reason) => reason !== null);
}

async function earlierOf(
  mail: GroupMail | undefined,
  look: ReviewLook,
): Promise<HeldPage['earlier']> {
  const { period } = mail?.rendered.mail?.documents[0] ?? {};
  const found = mail && period && (await earlierComment(mail.defined, period));
  if (!found) return null;
  return {
    period: createCalendarWords(look).periodName(found.period),
    html: markdownHtml(found.text, String, {}),
  };
}
