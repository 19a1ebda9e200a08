import { lastMatch } from '#core/mails.ts';
import { effectiveSubscription, hasActiveSubscription, needsPayment } from '#core/subscription.ts';
import type { Outage } from '#core/smartpause/outage.ts';
import type { Db } from '../db/database.ts';
import type { OutboxMail } from '../db/mails.ts';
import { lastSealedAt } from '../db/mails.ts';
import { findLatestOutage } from '../db/outages.ts';
import type { Person } from '../db/people.ts';
import { readStatus } from '../db/status.ts';
import { findOwnSubscriptions } from '../db/subscriptions.ts';
import type { NamedAct } from '../db/told.ts';
import { findHeld, findLetGo, findToldActs } from '../db/told.ts';
import { findTokenFacts } from '../db/tokens.ts';
import { countWatched } from '../db/campaigns.ts';
import { tokenExpiredMail, tokenStaleMail, welcomeMail } from './account.ts';
import { disabledMail, pausedMail, resumedMail, unknownMail } from './acts.ts';
import { paymentFailedMail, subscriptionEndedMail, trialEndingMail } from './billing.ts';
import type { Mail } from './blocks.ts';

export interface Sheet {
  mail: OutboxMail;
  person: Person;
  publicUrl: string;
  /** Acts of the mail's kind that are on the way. */
  unfinished: number;
}

/** Puts the facts of an open mail into words; null when there is nothing to tell after all. */
export async function compose(tx: Db, sheet: Sheet): Promise<Mail | null> {
  const { mail, person, publicUrl } = sheet;
  switch (mail.kind) {
    case 'paused':
      return composePaused(tx, sheet);
    case 'resumed':
      return composeResumed(tx, sheet);
    case 'disabled': {
      const campaigns = await findToldActs(tx, mail.id);
      return campaigns.length === 0 ? null : disabledMail({ publicUrl, campaigns });
    }
    case 'unknown': {
      const held = await findHeld(tx, person.id);
      const { since } = await readStatus(tx);
      return held.length === 0 ? null : unknownMail({ publicUrl, since: since ?? mail.createdAt, held });
    }
    case 'token_stale':
    case 'token_expired': {
      const expiresAt = (await findTokenFacts(tx, person.id))?.expiresAt ?? null;
      const held = await findHeld(tx, person.id);
      if (mail.kind === 'token_stale') return tokenStaleMail({ publicUrl, expiresAt, held });
      const isOver = expiresAt !== null && expiresAt <= mail.createdAt;
      return tokenExpiredMail({ publicUrl, expiresAt: isOver ? expiresAt : null, held });
    }
    case 'welcome':
      return welcomeMail({ publicUrl, ...person });
    case 'trial_ending':
    case 'payment_failed':
    case 'subscription_ended':
      return composeBilling(tx, sheet, mail.kind);
    case 'deauthorized':
    case 'deleted':
      // Worded when it happens: afterwards the facts are gone.
      return null;
  }
}

/** Null when it is true no more: the trial was cancelled meanwhile, or the payment has come. */
async function composeBilling(
  tx: Db,
  { mail, person, publicUrl }: Sheet,
  kind: 'trial_ending' | 'payment_failed' | 'subscription_ended',
): Promise<Mail | null> {
  const { stripe, grant } = await findOwnSubscriptions(tx, person.id);
  if (stripe === null) return null;
  const { status, planType, currentPeriodEnd } = stripe;
  const facts = { publicUrl, planType, end: currentPeriodEnd, watched: await countWatched(tx, person.id) };
  switch (kind) {
    case 'trial_ending':
      return status === 'trialing'
        ? trialEndingMail({ ...facts, end: stripe.trialEnd ?? currentPeriodEnd })
        : null;
    case 'payment_failed':
      return needsPayment(stripe) ? paymentFailedMail({ ...facts, isSuspended: status === 'unpaid' }) : null;
    case 'subscription_ended': {
      const current = effectiveSubscription({ stripe, grant }, mail.createdAt);
      return hasActiveSubscription(current, mail.createdAt) ? null : subscriptionEndedMail(facts);
    }
  }
}

async function composePaused(tx: Db, sheet: Sheet): Promise<Mail | null> {
  const { mail, person, publicUrl, unfinished } = sheet;
  const campaigns = await findToldActs(tx, mail.id);
  const [first] = campaigns;
  if (first === undefined) return null;
  const outage = await findLatestOutage(tx, first.at);
  const level = outage?.levels.findLast(({ at }) => at <= first.at);
  const { threshold, resume } = person;
  return pausedMail({
    publicUrl,
    campaigns,
    level: level?.level ?? 'UP',
    levelSince: level?.at ?? null,
    threshold,
    resume,
    unfinished,
  });
}

async function composeResumed(tx: Db, sheet: Sheet): Promise<Mail | null> {
  const { mail, person, publicUrl, unfinished } = sheet;
  const acts = await findToldActs(tx, mail.id);
  const [first] = acts;
  if (first === undefined) return null;
  const outage = await findLatestOutage(tx, first.at);
  const resumed = acts.filter(({ event }) => event === 'resumed');
  const leftAlone = await findLeftAlone(tx, sheet, { acts, outage });
  return resumedMail({
    publicUrl,
    resumed,
    leftAlone,
    outage: outage === null ? null : toldOutage(outage, person),
    threshold: person.threshold,
    unfinished,
    isLeaving: person.leaving !== null,
  });
}

/** What was let go since the outage began, or since the last mail of this kind: told once. */
async function findLeftAlone(
  tx: Db,
  { mail, person }: Sheet,
  told: { acts: readonly NamedAct[]; outage: Outage | null },
): Promise<NamedAct[]> {
  const from = told.outage?.startedAt ?? mail.createdAt;
  const before = await lastSealedAt(tx, person.id, 'resumed');
  const known = await findLetGo(tx, person.id, Math.max(from, before ?? 0));
  const ids = new Set(known.map(({ campaignId }) => campaignId));
  return [...known, ...told.acts.filter((act) => act.event !== 'resumed' && !ids.has(act.campaignId))];
}

function toldOutage(outage: Outage, person: Person) {
  const match = lastMatch(outage, person.threshold);
  if (match === null) return null;
  const endedByEdit = person.matchEndedByEditAt;
  const to = match.to ?? (endedByEdit !== null && endedByEdit >= match.from ? endedByEdit : null);
  return { from: match.from, to, peak: outage.peak, level: outage.levels.at(-1)?.level ?? 'UP' } as const;
}
