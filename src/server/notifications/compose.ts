import { lastActs, lastMatch, unknownSince } from '#core/mails.ts';
import { effectiveSubscription, hasActiveSubscription, needsPayment } from '#core/billing/subscription.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import type { Outage } from '#core/smartpause/outage.ts';
import { resumeAt } from '#core/smartpause/resume-time.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../db/database.ts';
import type { OutboxMail } from '../db/mails.ts';
import { lastSealedAt, unknownEvent } from '../db/mails.ts';
import { findOutagesUntil } from '../db/status/outages.ts';
import type { Person } from '../db/users/people.ts';
import { countWatched } from '../db/campaigns.ts';
import { findDirectiveAt, readStatus } from '../db/status/status.ts';
import { findOwnSubscriptions } from '../db/billing/subscriptions.ts';
import type { NamedAct, ToldAct } from '../db/reports/told.ts';
import { findHeld, findLetGo, findToldActs } from '../db/reports/told.ts';
import { findTokenFacts, tokenEvent } from '../db/users/tokens.ts';
import { tokenExpiredMail, tokenStaleMail, welcomeMail } from './account.ts';
import { disabledMail, endWords, pausedMail, resumedMail } from './acts.ts';
import { paymentFailedMail, subscriptionEndedMail, trialEndingMail } from './billing.ts';
import type { Mail } from './blocks.ts';
import { accountLostMail, unknownMail } from './still-paused.ts';

export interface Sheet {
  mail: OutboxMail;
  person: Person;
  publicUrl: string;
  /** Campaigns with an act of the email's kind that is decided and not done yet. */
  unfinished: readonly string[];
  now: Instant;
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
      const acts = lastActs(await findToldActs(tx, mail.id));
      if (acts.length === 0) return null;
      const off = acts.filter(({ isOn }) => !isOn).length;
      return disabledMail({ publicUrl, campaigns: acts.map(withLaterState), off });
    }
    case 'unknown': {
      const status = await readStatus(tx);
      const since = unknownSince(status);
      const isSame = since !== null && mail.event === unknownEvent(since);
      const isMatched = person.leaving === null && meetsThreshold(status.known, person.threshold);
      const held = isSame && isMatched ? await findHeld(tx, person.id) : [];
      if (since === null || held.length === 0) return null;
      const unreachable = held.filter((one) => !one.isReachable).length;
      return unknownMail({ publicUrl, since, held, unreachable });
    }
    case 'token_stale':
    case 'token_expired': {
      const token = await findTokenFacts(tx, person.id);
      // They have logged in again meanwhile: there is nothing to tell any more.
      if (token === null || tokenEvent(token.savedAt) !== mail.event) return null;
      const { expiresAt } = token;
      const held = await findHeld(tx, person.id);
      if (mail.kind === 'token_stale') return tokenStaleMail({ publicUrl, expiresAt, held });
      const isOver = expiresAt !== null && expiresAt <= mail.createdAt;
      return tokenExpiredMail({ publicUrl, expiresAt: isOver ? expiresAt : null, held });
    }
    case 'account_lost': {
      const held = (await findHeld(tx, person.id)).filter(({ isAccountLost }) => isAccountLost);
      return held.length === 0 ? null : accountLostMail({ publicUrl, held });
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
  // Whatever else gives it, such as a grant.
  const hasAccess = hasActiveSubscription(
    effectiveSubscription({ stripe, grant }, mail.createdAt),
    mail.createdAt,
  );
  switch (kind) {
    case 'trial_ending':
      return status === 'trialing'
        ? trialEndingMail({ ...facts, end: stripe.trialEnd ?? currentPeriodEnd })
        : null;
    case 'payment_failed':
      // Tried again in vain meanwhile: another mail tells that.
      return !hasAccess && needsPayment(stripe) && mail.event?.startsWith(status) === true
        ? paymentFailedMail({ ...facts, isSuspended: status === 'unpaid' })
        : null;
    case 'subscription_ended':
      return hasAccess ? null : subscriptionEndedMail(facts);
  }
}

async function composePaused(tx: Db, sheet: Sheet): Promise<Mail | null> {
  const { mail, person, publicUrl, now } = sheet;
  const acts = lastActs(await findToldActs(tx, mail.id));
  const [first] = acts;
  if (first === undefined) return null;
  const decidedAt = first.decidedAt ?? first.at;
  const [outage] = await findOutagesUntil(tx, decidedAt);
  const level = outage?.levels.findLast(({ at }) => at <= decidedAt);
  const { threshold, resume } = person;
  const dueAt = person.leaving === null ? resumeAt(await readStatus(tx), person) : now;
  return pausedMail({
    publicUrl,
    campaigns: acts.map((act) => ({ ...act, then: laterWords(act) })),
    held: acts.filter(({ isHeld, isReachable }) => isHeld && isReachable).length,
    unreachable: acts.filter(({ isHeld, isReachable }) => isHeld && !isReachable).length,
    checked: acts.filter(({ isChecked }) => isChecked).length,
    level: level?.level ?? 'UP',
    levelSince: level?.at ?? null,
    threshold,
    resume,
    unfinished: withoutListed(sheet.unfinished, acts),
    isOverridden: (await findDirectiveAt(tx, decidedAt)) !== null,
    isLeaving: person.leaving !== null,
    dueAt: dueAt === null ? null : Math.max(dueAt, now),
    now,
  });
}

function laterWords({ isHeld, isChecked, end }: ToldAct): string | null {
  if (isHeld) return null;
  return isChecked ? 'found running; being checked' : endWords(end);
}

function withLaterState(act: ToldAct): ToldAct & { then: string | null } {
  const isOnAgain = act.event === 'deactivated' && act.isOn;
  const then = act.isHeld ? 'paused again since' : isOnAgain ? 'SmartPause is on again since' : null;
  return { ...act, then };
}

/** Campaigns that the email does not list already. */
function withoutListed(unfinished: readonly string[], listed: readonly { campaignId: string }[]): number {
  const ids = new Set(listed.map(({ campaignId }) => campaignId));
  return new Set(unfinished.filter((id) => !ids.has(id))).size;
}

async function composeResumed(tx: Db, sheet: Sheet): Promise<Mail | null> {
  const { mail, person, publicUrl } = sheet;
  const acts = await findToldActs(tx, mail.id);
  const [first] = acts;
  if (first === undefined) return null;
  const outages = await findOutagesUntil(tx, first.at);
  // A lesser one may have come since the one that they were paused for.
  const outage = outages.find((one) => lastMatch(one, person.threshold) !== null) ?? null;
  const letGo = await findLetGoBefore(tx, sheet, outage);
  const last = lastActs([...letGo, ...acts.map(withLaterState)].toSorted((a, b) => a.at - b.at));
  const resumed = last.filter(({ event }) => event === 'resumed');
  const leftAlone = last.filter(({ event }) => event !== 'resumed');
  return resumedMail({
    publicUrl,
    resumed,
    leftAlone,
    outage: outage === null ? null : toldOutage(outage, person),
    threshold: person.threshold,
    unfinished: withoutListed(sheet.unfinished, last),
    isLeaving: person.leaving !== null,
  });
}

/** What was let go since the outage began, or since the last mail of this kind: told once. */
async function findLetGoBefore(tx: Db, { mail, person }: Sheet, outage: Outage | null): Promise<NamedAct[]> {
  const from = outage?.startedAt ?? mail.createdAt;
  const before = await lastSealedAt(tx, person.id, 'resumed');
  return findLetGo(tx, person.id, Math.max(from, before ?? 0));
}

function toldOutage(outage: Outage, person: Person) {
  const match = lastMatch(outage, person.threshold);
  if (match === null) return null;
  const endedByEdit = person.thresholdEdit?.matchEndedAt ?? null;
  const to = match.to ?? (endedByEdit !== null && endedByEdit >= match.from ? endedByEdit : null);
  return { from: match.from, to, peak: outage.peak, level: outage.levels.at(-1)?.level ?? 'UP' } as const;
}
