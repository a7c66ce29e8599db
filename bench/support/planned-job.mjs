import { planJob } from '../../build/plan/plan-job.js';
import { dayMs } from './data-folder.mjs';

const start = '2023-01-01';
const startMs = Date.parse(start);

/** A job for some profiles of one workspace, which reads them from 2023 on. Each publishes on seven of ten days. */
export class PlannedJob {
  #publishedDays = 0;
  posts = [];

  constructor(profileCount) {
    const profiles = Array.from({ length: profileCount }, (_, index) => ({
      workspace: 'acme',
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      name: `Profile ${index}`,
      cpm: null,
      until: null,
    }));
    this.profiles = profiles;
    this.job = {
      name: 'daily',
      schedule: null,
      profiles,
      windows: { start, days: null, sizeDays: 30, refreshDays: 35 },
      details: ['post'],
      reports: [],
    };
  }

  publishUpTo(nowMs) {
    for (; startMs + this.#publishedDays * dayMs <= nowMs; this.#publishedDays += 1) {
      const day = this.#publishedDays;
      for (const [index, { id }] of this.profiles.entries()) {
        if ((day * 7 + index * 3) % 10 >= 7) continue;
        this.posts.push({
          workspace: 'acme',
          postId: `${id}-${day}`,
          publishedAt: new Date(startMs + day * dayMs),
          profileIds: [id],
          fetchedAt: { post: null, approvals: null, comments: null },
          hasChanged: false,
          isRemoved: false,
        });
      }
    }
  }

  plan(nowMs, history, full = false) {
    const [plan] = planJob({
      job: this.job,
      zones: ['Europe/Berlin'],
      now: new Date(nowMs),
      asked: null,
      full,
      history,
      readUntil: new Map(),
      lastFinishedRunStart: null,
      posts: this.posts,
    });
    return plan;
  }

  /**
   * Lives through daily runs, each of which reads what is due.
   * @yields each day's plan, beside one that reads everything
   */
  *dailyPlans(firstRunMs, days) {
    /** The newest readings by profile and date range: older ones of the same range change no plan. */
    const readings = new Map();
    for (let day = 0; day <= days; day += 1) {
      const nowMs = firstRunMs + day * dayMs;
      this.publishUpTo(nowMs);
      const history = [...readings.values()];
      const due = this.plan(nowMs, history);
      yield { due, planAll: () => this.plan(nowMs, history, true) };
      for (const { profile, window } of due.windows)
        readings.set(
          `${profile.id} ${window.start}`,
          this.#readingOf(profile.id, window, nowMs, postsIn(window, nowMs)),
        );
      this.#markDetailsRead(due.details, nowMs);
    }
  }

  /** A successful reading of a date range with so many posts. */
  #readingOf(profileId, window, nowMs, posts) {
    return {
      workspace: 'acme',
      profileId,
      window,
      partOf: null,
      status: 'succeeded',
      reason: null,
      records: posts,
      fetchedAt: new Date(nowMs),
      job: this.job.name,
      runStartedAt: new Date(nowMs),
      runFinished: true,
    };
  }

  #markDetailsRead(details, nowMs) {
    const read = new Set(details.map(({ postId }) => postId));
    for (const post of this.posts)
      if (read.has(post.postId)) post.fetchedAt = { ...post.fetchedAt, post: new Date(nowMs) };
  }
}

/** The number of days of a date range from 2023 on that are not in the future, each with a post. */
function postsIn(window, nowMs) {
  const last = Math.min(Date.parse(window.end), nowMs);
  const first = Math.max(Date.parse(window.start), startMs);
  return Math.max(0, Math.floor((last - first) / dayMs) + 1);
}
