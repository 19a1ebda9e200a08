import type { AppStop } from './app-state.ts';
import type { Directive } from './smartpause/level.ts';
import type { SilentIncident } from './smartpause/silent-incident.ts';
import { isStale } from './smartpause/status.ts';
import type { Instant } from './time.ts';
import { days, minutes } from './time.ts';

/** Meta answers a write within 30 seconds. */
export const UNCONFIRMED_MS = minutes(1);
export const FAILED_SHOWN_MS = days(1);
/** One failure is normal: the retry follows within seconds. */
export const LEAVING_FAILED = 2;

/** Counts of one part that can fail, and the oldest of what they count; null: there is none, or no time is stored. */
export type Part<Count extends string> = Record<Count, number> & { oldest: Instant | null };

/** Totals over all processes, from one query: what the metrics and System health show. */
export interface SystemNumbers {
  statusPage: {
    readAt: Instant | null;
    trueLevel: string;
    effectiveLevel: string;
    isOverridden: boolean;
    /** What the last status observation could not read; null: nothing. */
    trouble: string | null;
    /** The watched services that it could not find or understand. */
    missing: string[];
    /** The outages on the page that no longer count. */
    silentIncidents: SilentIncident[];
    /** The level that an admin has set for all users; null: none. `by` null: the admin's account is deleted. */
    override: {
      directive: Directive;
      reason: string | null;
      by: string | null;
      since: Instant | null;
    } | null;
  };
  /** Our app at Meta: why and since when Meta refuses it, in Meta's words. `usedRatio`: of its limit, from 70 % on. */
  app: Part<'usedRatio'> & { stopped: AppStop | null; said: string | null };
  /** Ad accounts by what the reconciler does with them. The oldest is due. */
  queue: Part<'due' | 'working' | 'limited' | 'planned'>;
  /** Lists for new campaigns and logs for schedules of other tools that are to be read, and spend that is a day late. `oldest`: since Meta could be asked. */
  jobs: Part<'due'>;
  /** Ad accounts whose last read or write failed. */
  accounts: Part<'failing'>;
  /**
   * Live holds by state, without live tests. `notResumable`: without a usable token or access, or while Meta's limit
   * blocks the ad account.
   */
  holds: Part<'pausing' | 'paused' | 'resuming' | 'notResumable'>;
  /** Writes without a response for a minute. */
  writes: Part<'unconfirmed'>;
  /** To users' own addresses. `retried`: of the waiting ones, not accepted at the first attempt. `failed`: abandoned in the last day. */
  emails: Part<'waiting' | 'retried' | 'failed'>;
  /** `refused`: by Meta, of subscribers with SmartPause on. `undecryptable`: the key is not in the configuration. */
  tokens: Part<'refused' | 'undecryptable'>;
  /** Since when Meta refuses our app's own token, and so inspects no user's. */
  tokenChecks: Part<never>;
  /** Browsers that began a login in the last week, and after the last one that succeeded. `declined`: as Meta says. */
  logins: Part<'unfinished' | 'declined'>;
  /** Users who are leaving. `failing`: of these, it has failed at least twice. */
  leaving: Part<'users' | 'failing'>;
  /** Subscriptions that could not be read from Stripe. */
  subscriptions: Part<'failing'>;
}

export type SystemHealth = {
  [Name in keyof SystemNumbers]: SystemNumbers[Name] & { needsAttention: boolean };
};

/** Due work starts within a second in normal operation. */
const QUEUE_BEHIND_MS = minutes(1);
/** A new campaign then runs unprotected twice as long as it may. */
const JOBS_BEHIND_MS = minutes(15);
/** A notification of follow-ups is 15 minutes old when it is rendered. */
const EMAIL_LATE_MS = minutes(30);

const NO_LOGIN_MS = days(2);
const UNFINISHED_LOGINS = 3;
const ALL_LOGINS = 10;

/**
 * Whether no login has succeeded for two days although some began. Three browsers never came back with a login. One that
 * was declined counts among ten: users may decline, but Meta also says so of an app in development mode.
 */
export function loginsFail(logins: SystemNumbers['logins'], now: Instant): boolean {
  const { unfinished, declined, oldest } = logins;
  if (oldest === null || now - oldest < NO_LOGIN_MS) return false;
  return unfinished >= UNFINISHED_LOGINS || unfinished + declined >= ALL_LOGINS;
}

/** Adds to each part whether an admin should look at it. */
export function systemHealthOf(found: SystemNumbers, given: { now: Instant; staleMs: number }): SystemHealth {
  const { now, staleMs } = given;
  const { statusPage, app, queue, emails, tokens } = found;
  const isOlder = (at: Instant | null, ms: number): boolean => at !== null && now - at > ms;
  const needsAttention: Record<keyof SystemNumbers, boolean> = {
    statusPage: isStale(statusPage.readAt, now, staleMs) || statusPage.trueLevel === 'UNKNOWN',
    app: app.stopped !== null,
    queue: isOlder(queue.oldest, QUEUE_BEHIND_MS),
    jobs: isOlder(found.jobs.oldest, JOBS_BEHIND_MS),
    accounts: found.accounts.failing > 0,
    holds: found.holds.notResumable > 0,
    writes: found.writes.unconfirmed > 0,
    emails: emails.retried + emails.failed > 0 || isOlder(emails.oldest, EMAIL_LATE_MS),
    tokens: tokens.refused + tokens.undecryptable > 0,
    tokenChecks: found.tokenChecks.oldest !== null && app.stopped === null,
    logins: loginsFail(found.logins, now),
    leaving: found.leaving.failing > 0,
    subscriptions: found.subscriptions.failing > 0,
  };
  const parts = Object.entries(found) as [keyof SystemNumbers, SystemNumbers[keyof SystemNumbers]][];
  return Object.fromEntries(
    parts.map(([name, part]) => [name, { ...part, needsAttention: needsAttention[name] }]),
  ) as SystemHealth;
}
