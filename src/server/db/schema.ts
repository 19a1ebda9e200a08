import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { PlanType, SubscriptionStatus } from '#core/billing/subscription.ts';
import type { SmartPauseSetting } from '#core/campaign.ts';
import type { NotificationKind } from '#core/notifications.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { HoldState } from '#core/smartpause/hold.ts';
import type { Directive, KnownLevel, Level, Threshold } from '#core/smartpause/level.ts';
import type { NotPausedReason } from '#core/smartpause/not-paused.ts';
import type { Outage } from '#core/smartpause/outage.ts';
import type { Status } from '#core/smartpause/status.ts';

export type ActivityType = 'pause' | 'resume' | 'login' | 'setting' | 'other';

/** The source of a change; 'operator' is the command line of this installation. */
export type Actor = 'user' | 'smartpause' | 'meta' | 'stripe' | 'operator';

/** int8 arrives as a string from both databases: ids are never numbers. */
type Id = ColumnType<string, string, string>;
type GeneratedId = Generated<string>;

export interface Schema {
  users: {
    id: GeneratedId;
    platformUserId: string;
    name: string;
    email: string | null;
    roles: Generated<string[]>;
    initializedAt: Date | null;
    threshold: Generated<Threshold>;
    resumeSettings: JSONColumnType<object>;
    onForNewCampaigns: Generated<boolean>;
    thresholdEditedAt: Date | null;
    matchEndedAt: Date | null;
    matchSinceAtEdit: Date | null;
    leaving: 'deauthorize' | 'delete' | null;
    leavingAt: Date | null;
    leavingBy: 'user' | 'meta' | null;
    leavingFailures: Generated<number>;
    leavingRetryAt: Date | null;
    leavingError: string | null;
    loggedInAt: Date;
    createdAt: Date;
  };
  sessions: {
    id: GeneratedId;
    tokenHash: Uint8Array;
    userId: Id;
    createdAt: Date;
    expiresAt: Date;
    lastUsedAt: Date;
  };
  loginAttempts: {
    stateHash: Uint8Array;
    browserHash: Uint8Array;
    returnTo: string;
    expiresAt: Date;
    codeHash: Uint8Array | null;
    claimedAt: Date | null;
    answer: Uint8Array | null;
    answerKeyId: string | null;
  };
  platformTokens: {
    userId: Id;
    ciphertext: Uint8Array;
    keyId: string;
    expiresAt: Date | null;
    savedAt: Date;
    rejectedAt: Date | null;
    rejectedReason: string | null;
    checkAt: Date;
    checkedAt: Date | null;
    extendAt: Date | null;
  };
  deletionRequests: {
    code: string;
    platformUserHash: Uint8Array;
    requestedAt: Date;
    finishedAt: Date | null;
    superseded: boolean;
  };
  subscriptions: {
    userId: Id;
    source: 'stripe' | 'grant';
    status: SubscriptionStatus;
    planType: PlanType;
    currentPeriodEnd: Date;
    canceledAt: Date | null;
    trialEnd: Date | null;
    renews: boolean;
  };
  stripeCustomers: {
    userId: Id;
    customerId: string | null;
    requestKey: string;
    syncNo: Generated<number>;
    writtenNo: Generated<number>;
    syncAt: Date;
    checkoutUntil: Generated<Date | null>;
    failedSince: Generated<Date | null>;
    lastError: Generated<string | null>;
  };
  webhookDeliveries: { signatureHash: Uint8Array; eventId: string; type: string; receivedAt: Date };
  usedTrials: { platformUserHash: Uint8Array; usedAt: Date };
  adAccounts: {
    userId: Id;
    id: string;
    name: string;
    currency: string;
    accountStatus: number;
    seenAt: Date;
    lostAt: Date | null;
  };
  campaigns: {
    id: string;
    accountId: string;
    name: string;
    status: string;
    objective: string;
    dailyBudget: string | null;
    isListed: Generated<boolean>;
    seenAt: Date;
    pausedManuallyAt: Date | null;
    /** When a list first showed a status that was not set through SmartPause. */
    changedInAdsManagerAt: Date | null;
    isLegacyAdvantage: Generated<boolean>;
    startTime: Date | null;
    stopTime: Date | null;
  };
  campaignLists: { accountId: string; readAt: Date; wasWhole: Generated<boolean> };
  smartpauseSettings: {
    userId: Id;
    campaignId: string;
    accountId: string;
    setting: SmartPauseSetting;
    changedAt: Date;
  };
  platformStatus: {
    id: number;
    trueLevel: Level;
    message: string;
    quote: string | null;
    knownIsFromBackup: Generated<boolean>;
    overrideLevel: Directive | null;
    effectiveLevel: Level;
    knownLevel: KnownLevel;
    matchSince: JSONColumnType<Status['matchSince']>;
    loginDisrupted: Generated<boolean>;
    checkedAt: Date | null;
    since: Date | null;
    poller: string | null;
    pollerUntil: Date | null;
  };
  statusObservations: {
    id: GeneratedId;
    at: Date;
    trueLevel: Level;
    overrideLevel: Directive | null;
    effectiveLevel: Level;
    knownLevel: KnownLevel;
    message: string;
  };
  statusAnswers: {
    id: GeneratedId;
    firstAt: Date;
    lastAt: Date;
    times: Generated<number>;
    level: string;
    message: string;
    services: JSONColumnType<object>;
    trouble: string | null;
    tookMs: number;
    longestMs: number;
  };
  statusFiles: {
    id: GeneratedId;
    path: string;
    sha256: Uint8Array;
    firstAt: Date;
    lastAt: Date;
    body: Uint8Array;
  };
  outages: {
    id: GeneratedId;
    startedAt: Date;
    endedAt: Date | null;
    peak: KnownLevel;
    levels: JSONColumnType<Outage['levels']>;
    recordedAt: Generated<Date | null>;
  };
  /** What an ended outage meant for one user. */
  outageUsers: {
    outageId: Id;
    userId: Id;
    threshold: Threshold;
    reason: NotPausedReason | null;
    notPaused: JSONColumnType<Record<string, NotPausedReason>>;
  };
  workItems: {
    accountId: string;
    dueAt: Date | null;
    priority: Generated<string>;
    leasedBy: string | null;
    leaseUntil: Date | null;
    fencingToken: Generated<number>;
    generation: Generated<number>;
    failures: Generated<number>;
    lastError: string | null;
    blockedUntil: Date | null;
    usage: JSONColumnType<Usage> | null;
  };
  holds: {
    id: GeneratedId;
    userId: Id;
    accountId: string;
    campaignId: string;
    state: HoldState | 'ended';
    outcome: 'resumed' | 'released' | null;
    reason: string | null;
    attempt: Generated<number>;
    failures: Generated<number>;
    sentAt: Date | null;
    resumedAt: Date | null;
    release: string | null;
    turnedOff: Generated<boolean>;
    retryAt: Date | null;
    refusals: Generated<number>;
    /** Meta's own words. */
    refusal: string | null;
    suspectedStatus: string | null;
    suspectedSince: Date | null;
    lastError: string | null;
    createdAt: Date;
    readAt: Date | null;
    pausedFor: string | null;
    pausedThreshold: Threshold | null;
    pausedAt: Date | null;
    endedAt: Date | null;
    unconfirmedWrite: string | null;
    pauseSentAt: Date | null;
    resumeSentAt: Date | null;
    testUntil: Date | null;
    beganAsTest: Generated<boolean>;
  };
  manualChanges: {
    id: GeneratedId;
    userId: Id;
    accountId: string;
    campaignId: string;
    status: 'ACTIVE' | 'PAUSED';
    requestedAt: Date;
    sentAt: Date | null;
    endedAt: Date | null;
    refusal: string | null;
    metaSaid: string | null;
  };
  activities: {
    id: GeneratedId;
    userId: string | null;
    type: ActivityType;
    message: string;
    createdAt: Date;
    accountId: string | null;
    campaignId: string | null;
    holdId: string | null;
    event: string;
    actor: Actor;
    reason: string | null;
    notificationId: string | null;
  };
  notifications: {
    id: GeneratedId;
    userId: string | null;
    kind: NotificationKind;
    event: string | null;
    createdAt: Date;
    dueAt: Date | null;
    finalizedAt: Date | null;
    toAddress: string | null;
    subject: string | null;
    text: string | null;
    html: string | null;
    attempts: Generated<number>;
    leaseUntil: Date | null;
    lastError: string | null;
    sentAt: Date | null;
    failedAt: Date | null;
  };
}
