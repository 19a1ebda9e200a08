import { byName } from '#core/campaign.ts';
import { addressesOf, formerAddress, refusedSince, unreachedOf } from '#core/confirmation.ts';
import { CHANNEL_NAMES } from '#core/destinations.ts';
import { describeEvent } from '#core/events.ts';
import { lastActivities, unknownSince } from '#core/notifications.ts';
import { clockTime, fullTimeWithUtc, utcTime } from '#core/new-york.ts';
import { refusedChange } from '#core/outages/activity-text.ts';
import { figure, namesLabel } from '#core/labels.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import type { NamedCampaign, PendingActivity } from '../../db/reports/notified-activities.ts';
import { PERMISSION_TAKEN_BACK } from '#core/platform-access.ts';
import type { Facts } from '../facts.ts';
import type { Block, Notification } from '../render.ts';
import { shortMessage, shortName } from '../render.ts';
import { openDashboard } from './campaigns.ts';
import { byAccount, campaigns, columnsOf, itOrThem, listOf, stay } from './lists.ts';
import { isChangeable, obstacleCopy, resumeNowCopy } from './obstacles.ts';
import { metaSays, sharedRefusal } from './refusals.ts';
import { isRefusedForGood, notResumed, resumesOf } from './resumed.ts';

/** Null: the status is known again, or was for a time. */
export function unknown(facts: Facts): Notification | null {
  const { status, acts } = facts;
  const since = unknownSince(status);
  const last = acts.at(-1)?.happened;
  const held = facts.held.filter(({ threshold }) => meetsThreshold(status.known, threshold));
  if (since === null || last?.event !== 'status_unknown' || last.facts.since !== since) return null;
  if (held.length === 0) return null;
  const changeable = held.filter(isChangeable(facts));
  const count = changeable.length;
  const which = count < held.length ? `${figure(count)} of them` : itOrThem(held.length);
  const promise = `When the status is known again and below your threshold, SmartPause resumes ${which} and we’ll tell you.`;
  return {
    subject: `Still paused: Meta’s status has been unknown since ${clockTime(since)} (${utcTime(since)})`,
    blocks: [
      `The last known disruption met your threshold, so ${stay(held.length)} paused.`,
      count > 0 ? promise : null,
      ...obstacleCopy(facts, held),
      {
        status: 'UNKNOWN',
        text: `we haven’t been able to read Meta’s status page since ${fullTimeWithUtc(since)}.`,
      },
      ...byAccount('Still paused', held, { day: since }),
      resumeNowCopy(facts, changeable),
      openDashboard(facts),
    ],
  };
}

export function accountLost(facts: Facts): Notification | null {
  const held = facts.held.filter(({ isAccountLost }) => isAccountLost);
  if (held.length === 0) return null;
  const them = itOrThem(held.length);
  const accounts = new Set(held.map(({ accountId }) => accountId)).size;
  const where = accounts === 1 ? 'the ad account' : 'the ad accounts';
  return {
    subject: `Still paused: SmartPause lost access to ${campaigns(held.length)}`,
    blocks: [
      `SmartPause had paused ${them}, and Meta now denies us access to ${where}. Your own access may have been removed. SmartPause keeps trying and resumes ${them} when it can. Until then, check ${them} in Ads Manager or ask the owner of ${where}.`,
      ...byAccount('Still paused', held),
      openDashboard(facts),
    ],
  };
}

/** Meta asks the user to confirm the ad accounts, and refuses every change until then. */
export function accountBlocked(facts: Facts): Notification | null {
  const blocked = new Map(
    facts.acts.filter(({ isBlocked }) => isBlocked).map(({ accountId, account }) => [accountId, account]),
  );
  if (blocked.size === 0) return null;
  const accounts = namesLabel([...blocked.values()].toSorted(byName).map((name) => ({ name })));
  // What waits for another tool's hours does not wait for the user yet.
  const held = facts.held.filter((one) => blocked.has(one.accountId) && one.postponedUntil === null);
  const paused = `${stay(held.length)} paused until then. You can also resume ${itOrThem(held.length)} in Ads Manager.`;
  return {
    subject: `Not protected: confirm ${accounts} in Ads Manager`,
    blocks: [
      `Meta refuses our changes in ${accounts} until you confirm your account in Ads Manager. Until then, SmartPause can’t pause campaigns there in an outage, or resume them.`,
      metaSays(sharedRefusal(facts.acts)),
      'Open Ads Manager and follow the steps that Meta shows there. SmartPause tries again every hour while something must be paused or resumed.',
      held.length > 0 ? paused : null,
      ...byAccount('Still paused', held),
      openDashboard(facts),
    ],
  };
}

/** A receiver is gone. */
export function destinationDisabled({ acts, publicUrl, user }: Facts): Notification {
  const disabled = acts.flatMap(({ happened }) => {
    if (happened.event !== 'destination_disabled') return [];
    const { kind, destination, reason } = happened.facts;
    return [{ name: `${CHANNEL_NAMES[kind]} “${shortName(destination)}”`, reason }];
  });
  const page = `${publicUrl}/settings/notifications`;
  return {
    subject: `Turned off: notifications to ${namesLabel(disabled)}`,
    page,
    blocks: [
      ...disabled.map(({ name, reason }) => `${name}: ${reason}`),
      `SmartPause sends nothing there until you turn it on again in Settings > Notifications. ${emailsCopy(user)}`,
      { button: 'Open Settings', address: page },
    ],
  };
}

/** Whether emails reach the user, beside a channel that is gone. */
function emailsCopy(user: Facts['user']): string {
  const unreached = unreachedOf(user);
  if (unreached?.former !== undefined) return `You still get every email at ${unreached.former}.`;
  if (unreached?.why === 'refused')
    return 'Your own mail server refuses our emails, too: check your address there.';
  if (unreached !== null) return 'Your own address isn’t confirmed yet: confirm it there.';
  return user.email === null
    ? 'You have no email address either: add one there.'
    : 'You still get every email.';
}

/** Null: the address has taken an email since, or the user has another one. */
export function addressRefused({ publicUrl, user }: Facts): Notification | null {
  const refused = addressesOf(user).flatMap((address) => {
    const since = refusedSince(user, address);
    return since === null ? [] : [{ name: address, since }];
  });
  if (refused.length === 0) return null;
  const former = formerAddress(user);
  const page = `${publicUrl}/settings/notifications`;
  return {
    subject: `Your mail server refused our email to ${namesLabel(refused)}`,
    page,
    blocks: [
      ...refused.map(
        ({ name, since }) =>
          `Since ${fullTimeWithUtc(since)}, emails about pauses and resumes haven’t reached you at ${name}.`,
      ),
      'SmartPause goes on to send them, and pauses and resumes as before.',
      former === null ? null : `You still get every email at ${former}.`,
      'Check the address in Settings. If it’s right, ask the people who run your mail server to accept our emails.',
      { button: 'Open Settings', address: page },
    ],
  };
}

/** Null: the user has logged in again since, or the connection has ended, which has its own notification. */
export function tokenStale({ publicUrl, now, token, acts }: Facts): Notification | null {
  const last = acts.at(-1)?.happened;
  if (token === null || last?.event !== 'token_stale' || last.facts.savedAt !== token.savedAt) return null;
  const { expiresAt, rejectedAt } = token;
  if (rejectedAt !== null || (expiresAt ?? Infinity) <= now) return null;
  const when = expiresAt === null ? 'soon' : `on ${fullTimeWithUtc(expiresAt)}`;
  return {
    subject: `Your Meta connection expires ${when}`,
    blocks: [
      `SmartPause’s connection to your Meta ad accounts expires ${when}. To renew it, log in to SmartPause once. Everything works until then. After that, SmartPause can’t pause or resume your campaigns.`,
      logIn(publicUrl),
    ],
  };
}

/** Null: the user has logged in again since, or knows: a token may be refused again after an outage of Meta's login. */
export function tokenExpired({ publicUrl, token, held, acts, lastAt }: Facts): Notification | null {
  if (token?.rejectedAt == null || (lastAt ?? 0) >= token.savedAt) return null;
  const { expiresAt, rejectedReason } = token;
  const isOver = expiresAt !== null && expiresAt <= (acts[0]?.at ?? 0);
  const cause =
    rejectedReason === PERMISSION_TAKEN_BACK
      ? 'SmartPause no longer has the permission to manage your ads (ads_management). Meta asks for it again when you log in.'
      : isOver
        ? `Your Meta connection expired on ${fullTimeWithUtc(expiresAt)}.`
        : 'Meta no longer accepts our connection to your ad accounts. The access was revoked, or your password changed.';
  const paused = `${campaigns(held.length)} paused by SmartPause can’t be resumed until you log in. You can also resume ${itOrThem(held.length)} in Ads Manager.`;
  return {
    subject: 'Your Meta connection has expired: please log in again',
    blocks: [
      `${cause} Until you log in again, SmartPause can’t pause or resume your campaigns.`,
      held.length > 0 ? paused : null,
      ...byAccount('Still paused', held),
      logIn(publicUrl),
    ],
  };
}

const FORMER = 'You’re receiving this email because you used SmartPause.';

export function deauthorized(facts: Facts): Notification {
  const { publicUrl, now, user, subscription } = facts;
  const by =
    user.leavingBy === 'meta' ? 'You removed SmartPause on Meta' : 'You revoked our access in Settings';
  const charged =
    'Your subscription hasn’t ended, so you can still be charged. To cancel it, log in and go to Settings > Billing.';
  return {
    subject: 'SmartPause no longer has access to your ad accounts',
    why: FORMER,
    blocks: [
      `${by}. Since ${fullTimeWithUtc(now)} we no longer have access to your ad accounts. We deleted our access token, and your campaigns are no longer protected.`,
      ...lastResumes(facts),
      subscription?.renews === true ? charged : null,
      'SmartPause is off for every campaign. Your settings are kept. To come back, log in again and complete the setup.',
      logIn(publicUrl),
    ],
  };
}

export function deleted(facts: Facts): Notification {
  const { now, user, subscription, confirmationCode: code } = facts;
  const whose = user.leavingBy === 'meta' ? 'As you requested on Meta, your' : 'Your';
  const isOver = subscription?.status === 'canceled' && subscription.currentPeriodEnd <= now;
  const your = isOver ? 'Your' : 'Your subscription ended with your account, and your';
  return {
    subject: 'Your SmartPause account is deleted',
    why: FORMER,
    blocks: [
      `${whose} account was deleted on ${fullTimeWithUtc(now)}. We deleted your name, email address, settings and history, and our access to your ad accounts. We keep only a fingerprint that doesn’t reveal your name or id, so that each person gets one free trial${code === null ? '' : ', and the code below'}.`,
      code === null ? null : { facts: [['Confirmation code', code]] },
      ...lastResumes(facts),
      subscription === null ? null : `${your} Stripe customer record is deleted. You won’t be charged again.`,
      'This is our last email to you.',
    ],
  };
}

/** Campaigns resumed because the user left, and those that stay paused: Meta had revoked our access, or refused the resume. */
function lastResumes(facts: Facts): (Block | null)[] {
  const acts = lastActivities(facts.acts);
  const [stranded, refused] = [acts.filter(isStranded), acts.filter(isRefusedForGood)];
  const paused = stranded.map((act): NamedCampaign => ({ ...act, at: act.pausedAt ?? act.at }));
  const left = leftPausedOf(facts, refused);
  const shared = new Set(left.map(({ words }) => words));
  const [said = null] = shared.size === 1 ? shared : [];
  const rows = left.map((one) => ({
    ...columnsOf(one),
    why: said === null ? shortMessage(refusedChange(one.words)) : '',
  }));
  const others = acts.filter((act) => !isStranded(act) && !isRefusedForGood(act));
  return [
    ...byAccount('Resumed', resumesOf(acts)),
    stranded.length > 0 ? checkCopy(stranded.length, 'Meta no longer let us resume') : null,
    ...byAccount('Still paused', paused),
    left.length > 0 ? checkCopy(left.length, 'Meta refused to resume') : null,
    metaSays(said),
    ...(left.length > 0 ? [listOf(`Still paused (${campaigns(left.length)})`, rows)] : []),
    ...notResumed(others),
  ];
}

/** Those that Meta refuses now, and those that an earlier email has named. */
function leftPausedOf({ leftPaused }: Facts, refused: readonly PendingActivity[]) {
  const now = refused.map((act) => ({ ...act, words: sharedRefusal([act]) }));
  const before = leftPaused.filter(({ campaignId }) => now.every((one) => one.campaignId !== campaignId));
  return [...now, ...before].toSorted((a, b) => byName(a.name, b.name));
}

function checkCopy(count: number, why: string): string {
  const them = itOrThem(count);
  return `Please check ${campaigns(count)} in Ads Manager. SmartPause had paused ${them}, and ${why} ${them}.`;
}

function isStranded({ happened }: PendingActivity): boolean {
  return describeEvent(happened).endReason === 'access_lost';
}

function logIn(publicUrl: string): Block {
  return { button: 'Log in to SmartPause', address: `${publicUrl}/auth/facebook` };
}
