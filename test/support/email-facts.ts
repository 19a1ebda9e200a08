import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import { NO_SPEND } from '#core/coverage.ts';
import type { ActivityEvent } from '#core/events.ts';
import type { EndReason } from '#core/outages/release-labels.ts';
import { INITIAL_STATUS } from '#core/smartpause/status.ts';
import type { HeldCampaign, PendingActivity } from '../../src/server/db/reports/notified-activities.ts';
import type { StoredOutage } from '../../src/server/db/status/outages.ts';
import type { StoredToken } from '../../src/server/db/users/tokens.ts';
import { PERMISSION_TAKEN_BACK } from '#core/platform-access.ts';
import type { User } from '../../src/server/db/users/users.ts';
import type { Facts } from '../../src/server/notifications/facts.ts';

// Facts for emails, and activities that they report.

export const publicUrl = 'https://smartpause.example';
export const at = Date.parse('2026-01-09T02:10:00Z');
export const later = Date.parse('2026-01-09T04:08:00Z');
export const matched = { ...INITIAL_STATUS, effective: 'HIGH_DISRUPTION', known: 'HIGH_DISRUPTION' } as const;
const campaign = { campaignId: '1', name: 'Spring & <Sale>', account: 'Chen "Outdoor"', at };
export const cause = {
  decidedAt: at,
  threshold: 'MEDIUM',
  level: 'HIGH_DISRUPTION',
  isOverride: false,
} as const;
export const paused: PendingActivity = {
  ...campaign,
  ...{ id: '1', accountId: 'act_5', message: 'Paused {campaigns}', detail: null },
  happened: {
    event: 'paused',
    facts: { level: 'HIGH_DISRUPTION', threshold: 'MEDIUM', isOverride: false, wasTest: false },
  },
  ...{
    pausedAt: at,
    cause,
    isHeld: true,
    isResumeAsked: false,
    isOn: true,
    isHandedOver: false,
    hasSchedule: false,
  },
  ...{ dailyBudget: null, currency: 'EUR', timeZone: 'Europe/Stockholm' },
  ...{ isReachable: true, isBlocked: false, end: null },
};
export const many = Array.from({ length: 13 }, (_one, index) => {
  return { ...paused, campaignId: `${index}`, name: `Shoes ${index + 1}` };
});
export const runs = {
  ...{ id: 'act_5', name: 'Chen', currency: 'EUR', protected: NO_SPEND, blocked: NO_SPEND },
  open: { count: 5, budget: 71_000, unknownBudgets: 2 },
};
/** What runs on after a refused pause, as readCoverage() counts it. */
export const runsRefused = {
  ...runs,
  ...{ open: NO_SPEND, blocked: { count: 1, budget: 5000, unknownBudgets: 0 } },
};
export function retrying(act: 'pause' | 'resume'): ActivityEvent {
  return { event: 'retrying', facts: { act, refusal: 'Two-factor required' } };
}
/** Meta's own words. */
export function refusedWith(refusal: string, { event, facts }: ActivityEvent): ActivityEvent {
  return { event, facts: 'refusal' in facts ? { ...facts, refusal } : facts } as ActivityEvent;
}
export const resumed: PendingActivity = {
  ...paused,
  happened: { event: 'resumed', facts: { level: 'UP', threshold: 'MEDIUM', isLeaving: false } },
  ...{ isHeld: false, at: later },
};
/** SmartPause did not resume it. */
export function endedBy(
  reason: EndReason,
  {
    event = 'released',
    refusal = null,
  }: { event?: 'released' | 'refused' | 'deactivated'; refusal?: string | null } = {},
): ActivityEvent {
  return { event, facts: { reason, refusal, outside: null, wasPaused: true } };
}
export const tested: PendingActivity = {
  ...resumed,
  happened: { event: 'test_paused', facts: {} },
  message: 'Test: paused {campaigns}',
};
export const alone: PendingActivity = {
  ...resumed,
  ...{ campaignId: '2', name: 'Autumn', happened: endedBy('already_active'), isOn: false },
};
export const disabled = {
  ...{ name: 'Winter', campaignId: '3', happened: endedBy('already_active', { event: 'deactivated' }) },
};
export const neverPaused: PendingActivity = { ...alone, campaignId: '3', happened: endedBy('not_needed') };
export const kept: PendingActivity = {
  ...alone,
  campaignId: '4',
  name: 'Summer',
  happened: endedBy('paused_outside'),
};
export const gone: PendingActivity = {
  ...alone,
  campaignId: '5',
  name: 'Winter',
  happened: endedBy('deleted'),
};
export const refused: PendingActivity = {
  ...{ ...alone, at },
  happened: endedBy('pause_refused', { event: 'refused', refusal: 'Campaign has ended' }),
};
export const keepsRunning: PendingActivity = {
  ...alone,
  happened: { event: 'not_restored', facts: { act: 'pause', refusal: null } },
};
export const staysPaused: PendingActivity = {
  ...{ ...keepsRunning, campaignId: '6' },
  happened: { event: 'not_restored', facts: { act: 'resume', refusal: 'Too many' } },
};
export const denied: PendingActivity = { ...paused, campaignId: '2', isReachable: false, isBlocked: true };
export const held: HeldCampaign = {
  ...campaign,
  ...{ accountId: 'act_5', threshold: 'MEDIUM', decidedAt: at, isAccountLost: true, isReachable: true },
  ...{
    isBlocked: false,
    isResuming: false,
    refusal: null,
    postponedUntil: null,
    schedule: null,
    timeZone: 'Europe/Stockholm',
  },
};
export const token: StoredToken = {
  ...{ userId: '1', ciphertext: new Uint8Array(), keyId: '', isShortLived: false },
  ...{ expiresAt: later, savedAt: at, rejectedAt: at, rejectedReason: 'revoked', checkAt: at, checkedAt: at },
};
export const takenBack: StoredToken = { ...token, rejectedReason: PERMISSION_TAKEN_BACK };
const user: User = {
  ...{ id: '1', platformUserId: '1', name: 'Maya', email: null, roles: [], initializedAt: at },
  ...{ threshold: 'MEDIUM', resumeSettings: { mode: 'next_day' }, loggedInAt: at, createdAt: at },
  ...{ leaving: null, leavingAt: null, leavingBy: null, leavingFailures: 0 },
  ...{ leavingRetryAt: null, leavingError: null, onForNewCampaigns: false, hasMonthlySummary: true },
  ...{ earlyWarning: 'official', letsPauseSince: null, letsPauseUntil: null, letsPauseEarlier: '{}' },
  ...{ confirmedEmail: null, askedEmail: null, askedAt: null, refusedEmail: null, refusedAt: null },
  refusals: {},
};
const REFUSED_ADDRESS = 'nora@lind.example';
export const refusedAddress: User = {
  ...user,
  ...{ email: REFUSED_ADDRESS, refusals: { [REFUSED_ADDRESS]: at } },
};
export const outage: StoredOutage = {
  ...{ id: '12', startedAt: at, endedAt: later, peak: 'HIGH_DISRUPTION' },
  levels: [
    { level: 'HIGH_DISRUPTION', at },
    { level: 'UP', at: later },
  ],
};
export const second: StoredOutage = {
  ...outage,
  id: '13',
  levels: [{ level: 'HIGH_DISRUPTION', at: later }],
};
export const subscription: Subscription<PlanType> = {
  ...{ status: 'past_due', planType: 'monthly', currentPeriodEnd: later, renews: true },
  ...{ canceledAt: null, trialEnd: null },
};
export const FACTS: Facts = {
  ...{ publicUrl, now: later, user, lastAt: null, acts: [paused], unread: [], unfinished: 0 },
  ...{ threshold: 'MEDIUM', held: [held], outages: [outage], token, coverage: [] },
  status: { ...matched, message: '', quote: null, loginDisrupted: false, checkedAt: later, since: at },
  ...{ subscription: null, confirmationCode: null, isSuspended: false, leftPaused: [], word: null },
  ...{ warning: null, isWarned: false },
};
export const leaving = (how: 'delete' | 'deauthorize') =>
  ({ ...user, leaving: how, leavingAt: at, leavingBy: 'meta' }) as const;
export const lower = { ...FACTS.status, effective: 'LOW_DISRUPTION' } as const;
export const unknownStatus = { ...FACTS.status, effective: 'UNKNOWN' } as const;
export const unknown: Partial<Facts> = {
  status: unknownStatus,
  acts: [{ ...paused, happened: { event: 'status_unknown', facts: { since: at } } }],
};
/** Of a reminder, after so many hours. */
export const remindedAfter = (hours: number): Partial<Facts> => ({
  acts: [{ ...paused, campaignId: '', happened: { event: 'still_paused', facts: { since: at, dueAt: at } } }],
  status: { ...FACTS.status, checkedAt: at + hours * 3_600_000 },
  ...{ now: at + hours * 3_600_000, outages: [{ ...outage, endedAt: null }] },
});
export const act_6 = { accountId: 'act_6', account: 'Lind' };
export const both = [held, { ...held, ...act_6 }];
const isBlocked = {
  ...{ ...paused, isBlocked: true },
  happened: { event: 'account_blocked', facts: { refusal: 'Confirm your identity' } },
} as const;
export const blocked: Partial<Facts> = { acts: [isBlocked], held: [] };
export const bothBlocked = { acts: [{ ...isBlocked, ...act_6 }, isBlocked] };
export const stale: Partial<Facts> = {
  acts: [{ ...paused, happened: { event: 'token_stale', facts: { savedAt: at } } }],
  ...{ now: at, token: { ...token, rejectedAt: null } },
};
export const ended = { ...FACTS.status, ...INITIAL_STATUS, effective: 'UP' } as const;
