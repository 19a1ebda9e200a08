import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import { NO_SPEND } from '#core/coverage.ts';
import { INITIAL_STATUS } from '#core/smartpause/status.ts';
import type { HeldCampaign, PendingActivity } from '../../src/server/db/reports/notified-activities.ts';
import type { StoredOutage } from '../../src/server/db/status/outages.ts';
import type { StoredToken } from '../../src/server/db/users/tokens.ts';
import { PERMISSION_TAKEN_BACK } from '../../src/server/db/users/tokens.ts';
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
  ...{ id: '1', accountId: 'act_5', event: 'paused', message: 'Paused {campaigns}' },
  ...{ detail: null, rawReason: null, reason: null, refusal: null },
  ...{
    pausedAt: at,
    cause,
    isHeld: true,
    isResumeAsked: false,
    isOn: true,
    isHandedOver: false,
    hasSchedule: false,
  },
  ...{ isReachable: true, isBlocked: false, end: null },
};
export const many = Array.from({ length: 13 }, (_one, index) => {
  return { ...paused, campaignId: `${index}`, name: `Shoes ${index + 1}` };
});
export const runs = {
  ...{ id: 'act_5', name: 'Chen', currency: 'EUR', protected: NO_SPEND, blocked: NO_SPEND },
  open: { count: 5, budget: 71_000, unknownBudgets: 2 },
};
export const resumed: PendingActivity = { ...paused, event: 'resumed', isHeld: false };
export const tested: PendingActivity = {
  ...resumed,
  event: 'test_paused',
  message: 'Test: paused {campaigns}',
};
export const alone: PendingActivity = {
  ...resumed,
  ...{ campaignId: '2', name: 'Autumn', event: 'released', reason: 'already_active', isOn: false },
};
export const neverPaused: PendingActivity = { ...alone, campaignId: '3', reason: 'not_needed' };
export const kept: PendingActivity = { ...alone, campaignId: '4', name: 'Summer', reason: 'paused_outside' };
export const gone: PendingActivity = { ...alone, campaignId: '5', name: 'Winter', reason: 'deleted' };
export const refused: PendingActivity = {
  ...alone,
  ...{ event: 'refused', reason: 'pause_refused', refusal: 'Campaign has ended' },
};
export const keepsRunning: PendingActivity = {
  ...{ ...alone, event: 'not_restored', reason: 'pause_refused' },
  detail: 'Meta applied our resume late and it could not be undone',
};
export const staysPaused: PendingActivity = {
  ...{ ...keepsRunning, campaignId: '6', reason: 'resume_refused' },
  detail: 'Meta applied our pause late and refused to undo it: Too many',
};
export const denied: PendingActivity = { ...paused, campaignId: '2', isReachable: false, isBlocked: true };
export const held: HeldCampaign = {
  ...campaign,
  ...{ accountId: 'act_5', threshold: 'MEDIUM', isAccountLost: true, isReachable: true, isBlocked: false },
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
  ...{ leavingRetryAt: null, leavingError: null, onForNewCampaigns: false },
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
  ...{ publicUrl, now: later, user, lastAt: null, acts: [paused], unfinished: 0 },
  ...{ threshold: 'MEDIUM', held: [held], outages: [outage], token, coverage: [] },
  status: { ...matched, message: '', quote: null, loginDisrupted: false, checkedAt: later, since: at },
  ...{ subscription: null, confirmationCode: null },
};
export const leaving = (how: 'delete' | 'deauthorize') =>
  ({ ...user, leaving: how, leavingAt: at, leavingBy: 'meta' }) as const;
export const lower = { ...FACTS.status, effective: 'LOW_DISRUPTION' } as const;
export const unknownStatus = { ...FACTS.status, effective: 'UNKNOWN' } as const;
export const unknown = {
  status: unknownStatus,
  acts: [{ ...paused, rawReason: new Date(at).toISOString() }],
};
export const act_6 = { accountId: 'act_6', account: 'Lind' };
export const both = [held, { ...held, ...act_6 }];
export const blocked = { acts: [{ ...paused, isBlocked: true }], held: [] };
export const bothBlocked = { acts: [{ ...paused, isBlocked: true, ...act_6 }, ...blocked.acts] };
export const stale = {
  acts: [{ ...paused, rawReason: 'saved 2026-01-09T02:10:00.000Z' }],
  ...{ now: at, token: { ...token, rejectedAt: null } },
};
export const ended = { ...FACTS.status, ...INITIAL_STATUS, effective: 'UP' } as const;
