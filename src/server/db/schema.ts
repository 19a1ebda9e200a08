import type { LoginError } from '#contract/errors.ts';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { AppStop } from '#core/app-state.ts';
import type { PlanType, SubscriptionStatus } from '#core/billing/subscription.ts';
import type { SmartPauseSetting } from '#core/campaign.ts';
import type { NotificationKind } from '#core/notifications.ts';
import type { Usage } from '#core/platform-usage.ts';
import type {
  ActualStatus,
  CampaignWrite,
  Hold,
  OutsideChange,
  ReleaseReason,
  Target,
} from '#core/reconciler/hold.ts';
import type { Directive, KnownLevel, Level, Threshold } from '#core/smartpause/level.ts';
import type { NotPausedReason } from '#core/smartpause/not-paused.ts';
import type { OtherSchedule } from '#core/smartpause/other-schedule.ts';
import type { Outage } from '#core/smartpause/outage.ts';
import type { CleanSince, SilentIncident } from '#core/smartpause/silent-incident.ts';
import type { Component, Status } from '#core/smartpause/status.ts';
import type { StoredStatus } from '#core/smartpause/status-reading.ts';
import type { ResumeSettings } from '#core/settings.ts';
import type { Instant } from '#core/time.ts';

export type ActivityType = 'pause' | 'resume' | 'login' | 'setting' | 'other';

/** The source of a change; 'operator' is the command line of this installation. */
export type Actor = 'user' | 'smartpause' | 'meta' | 'stripe' | 'operator';

/** 'NO_PERMISSION': the user declined a required one. */
export type LoginOutcome = 'done' | 'NO_PERMISSION' | LoginError;

/** int8 arrives as a string from both databases: ids are never numbers. */
type Id = ColumnType<string, string, string>;
type GeneratedId = Generated<string>;

/** Read as milliseconds, written as a Date or by an expression: PostgreSQL refuses a number. */
type Timestamp = ColumnType<Instant, Instant | Date, Instant | Date>;

export interface Schema {
  users: {
    id: GeneratedId;
    platformUserId: string;
    name: string;
    email: string | null;
    roles: Generated<string[]>;
    initializedAt: Timestamp | null;
    threshold: Generated<Threshold>;
    resumeSettings: ColumnType<ResumeSettings, string, string>;
    onForNewCampaigns: Generated<boolean>;
    leaving: 'deauthorize' | 'delete' | null;
    leavingAt: Timestamp | null;
    leavingBy: 'user' | 'meta' | null;
    leavingFailures: Generated<number>;
    leavingRetryAt: Timestamp | null;
    leavingError: string | null;
    loggedInAt: Timestamp;
    createdAt: Timestamp;
  };
  sessions: {
    id: GeneratedId;
    tokenHash: Uint8Array;
    userId: Id;
    createdAt: Timestamp;
    expiresAt: Timestamp;
    lastUsedAt: Timestamp;
  };
  loginAttempts: {
    stateHash: Uint8Array;
    browserHash: Uint8Array;
    returnTo: string;
    expiresAt: Timestamp;
    codeHash: Uint8Array | null;
    claimedAt: Timestamp | null;
    outcome: LoginOutcome | null;
  };
  platformTokens: {
    userId: Id;
    ciphertext: Uint8Array;
    keyId: string;
    expiresAt: Timestamp | null;
    savedAt: Timestamp;
    rejectedAt: Timestamp | null;
    rejectedReason: string | null;
    checkAt: Timestamp;
    checkedAt: Timestamp | null;
    isShortLived: Generated<boolean>;
  };
  deletionRequests: {
    code: string;
    platformUserHash: Uint8Array;
    requestedAt: Timestamp;
    finishedAt: Timestamp | null;
    superseded: boolean;
  };
  subscriptions: {
    userId: Id;
    source: 'stripe' | 'grant';
    status: SubscriptionStatus;
    planType: PlanType;
    currentPeriodEnd: Timestamp;
    canceledAt: Timestamp | null;
    trialEnd: Timestamp | null;
    renews: boolean;
    isPaused: Generated<boolean>;
    openInvoiceUrl: string | null;
  };
  stripeCustomers: {
    userId: Id;
    customerId: string;
    syncedFrom: Timestamp | null;
    syncAt: Timestamp;
    failedSince: Timestamp | null;
    lastError: string | null;
  };
  usedTrials: { platformUserHash: Uint8Array; usedAt: Timestamp };
  adAccounts: {
    userId: Id;
    id: string;
    name: string;
    currency: string;
    mayPause: Generated<boolean>;
    accountStatus: number | null;
    disableReason: number | null;
    timeZone: string | null;
    seenAt: Timestamp;
    lostAt: Timestamp | null;
    writesBlockedUntil: Timestamp | null;
    missingSince: Timestamp | null;
    removedAt: Timestamp | null;
  };
  campaigns: {
    id: string;
    accountId: string;
    name: string;
    status: string;
    objective: string;
    dailyBudget: string | null;
    isListed: Generated<boolean>;
    seenAt: Timestamp;
    pausedManuallyAt: Timestamp | null;
    /** When a list first showed a status that was not set through SmartPause. */
    changedInAdsManagerAt: Timestamp | null;
    isLegacyAdvantage: Generated<boolean>;
    startTime: Timestamp | null;
    stopTime: Timestamp | null;
    endedFirstAt: Timestamp | null;
    endedLastAt: Timestamp | null;
    otherSchedule: JSONColumnType<OtherSchedule> | null;
  };
  campaignLists: {
    accountId: string;
    readAt: Timestamp;
    wasWhole: Generated<boolean>;
    shrunkAt: Timestamp | null;
    shrunkIds: string[] | null;
    unanswered: JSONColumnType<[id: string, since: Instant][]> | null;
    schedulesTriedAt: Timestamp | null;
    schedulesDueAt: Timestamp | null;
  };
  smartpauseSettings: {
    userId: Id;
    campaignId: string;
    accountId: string;
    setting: SmartPauseSetting;
    changedAt: Timestamp;
  };
  platformStatus: {
    id: number;
    trueLevel: Level;
    message: string;
    quote: string | null;
    knownIsFromBackup: Generated<boolean>;
    overrideLevel: Directive | null;
    overrideReason: string | null;
    overrideBy: Id | null;
    overrideSince: Timestamp | null;
    effectiveLevel: Level;
    knownLevel: KnownLevel;
    knownTrueLevel: Generated<KnownLevel>;
    matchSince: JSONColumnType<Status['matchSince']>;
    loginDisrupted: Generated<boolean>;
    checkedAt: Timestamp | null;
    since: Timestamp | null;
    poller: string | null;
    pollerUntil: Timestamp | null;
    trouble: string | null;
    unreadServices: Generated<string[]>;
    components: ColumnType<Component[], never, string>;
    fileDates: ColumnType<StoredStatus['fileDates'], never, string>;
    lowerReading: ColumnType<StoredStatus['lowerReading'], never, string | null>;
    cleanSince: ColumnType<CleanSince, never, string>;
    silentIncidents: ColumnType<SilentIncident[], never, string>;
  };
  appState: {
    id: number;
    stopped: AppStop | null;
    since: Timestamp | null;
    probeAt: Timestamp | null;
    openedAt: Timestamp | null;
    said: string | null;
    usedPercent: number | null;
    usedAt: Timestamp | null;
    inspectionsRefusedSince: Timestamp | null;
  };
  statusObservations: {
    id: GeneratedId;
    at: Timestamp;
    trueLevel: Level;
    overrideLevel: Directive | null;
    message: string;
  };
  statusFiles: {
    id: GeneratedId;
    path: string;
    sha256: Uint8Array;
    firstAt: Timestamp;
    lastAt: Timestamp;
    body: Uint8Array;
  };
  outages: {
    id: GeneratedId;
    startedAt: Timestamp;
    endedAt: Timestamp | null;
    peak: KnownLevel;
    levels: JSONColumnType<Outage['levels']>;
    recordedAt: Timestamp | null;
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
    dueAt: Timestamp | null;
    priority: Generated<string>;
    leasedBy: string | null;
    leaseUntil: Timestamp | null;
    fencingToken: Generated<number>;
    generation: Generated<number>;
    failures: Generated<number>;
    lastError: string | null;
    blockedUntil: Timestamp | null;
    usage: JSONColumnType<Usage> | null;
    intent: JSONColumnType<object> | null;
  };
  accountWakes: {
    id: GeneratedId;
    thresholds: Threshold[];
    wokenTo: Generated<string>;
    skipped: Generated<string[]>;
    requestedAt: Timestamp;
  };
  holds: {
    id: GeneratedId;
    userId: Id;
    accountId: string;
    campaignId: string;
    state: Hold['state'];
    threshold: Threshold;
    level: KnownLevel;
    isOverride: Generated<boolean>;
    decidedAt: Timestamp;
    readAt: Timestamp;
    /** When the first pause and the first resume were sent. */
    pauseSentAt: Timestamp | null;
    pausedAt: Timestamp | null;
    resumeSentAt: Timestamp | null;
    testUntil: Timestamp | null;
    beganAsTest: Generated<boolean>;
    surpriseStatus: ActualStatus | null;
    surpriseSince: Timestamp | null;
    /** Meta's own words. */
    postponedUntil: Timestamp | null;
    resumeAskedBy: string | null;
    resumeAskedAt: Timestamp | null;
    refusal: string | null;
    lastError: string | null;
    endedAt: Timestamp | null;
    outcome: Hold['outcome'];
    releaseReason: ReleaseReason | null;
    outside: JSONColumnType<OutsideChange> | null;
  };
  campaignWrites: {
    campaignId: string;
    accountId: string;
    origin: CampaignWrite['origin'];
    /** Who asked for it. */
    userId: Id;
    requestedAt: Timestamp;
    target: Target;
    state: CampaignWrite['state'];
    statusBefore: Target;
    firstSentAt: Timestamp | null;
    unansweredUntil: Timestamp | null;
    unclearSince: Timestamp | null;
    retryAt: Timestamp | null;
    refusals: number;
    finalRefusals: Generated<number>;
    failures: number;
    /** Meta's own words. */
    refusal: string | null;
    lastError: string | null;
    confirmedStatus: Target | null;
    confirmedAt: Timestamp | null;
  };
  manualChanges: {
    id: GeneratedId;
    userId: Id;
    accountId: string;
    campaignId: string;
    status: Target;
    isOfMany: Generated<boolean>;
    requestedAt: Timestamp;
    endedAt: Timestamp | null;
    failure: string | null;
    refusal: string | null;
  };
  campaignChanges: {
    id: GeneratedId;
    userId: Id;
    action: string;
    startedAt: Timestamp;
    campaignIds: string[];
    manualChangeIds: (string | null)[];
    holdIds: (string | null)[];
    failures: (string | null)[];
    messages: (string | null)[];
  };
  activities: {
    id: GeneratedId;
    userId: string | null;
    type: ActivityType;
    message: string;
    detail: string | null;
    createdAt: Timestamp;
    accountId: string | null;
    campaigns: JSONColumnType<Record<string, { name: string; holdId?: string }>> | null;
    event: string;
    actor: Actor;
    reason: string | null;
    pendingNotification: NotificationKind | null;
    notificationId: string | null;
  };
  notifications: {
    id: GeneratedId;
    userId: string | null;
    kind: NotificationKind;
    createdAt: Timestamp;
    dueAt: Timestamp | null;
    toAddress: string;
    subject: string;
    text: string | null;
    html: string | null;
    attempts: Generated<number>;
    leaseUntil: Timestamp | null;
    lastError: string | null;
    sentAt: Timestamp | null;
    failedAt: Timestamp | null;
  };
}
