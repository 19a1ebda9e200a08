import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { LoginError } from '#contract/errors.ts';
import type { CanaryRun } from '#core/detection/canary.ts';
import type { DeliveryProgress } from '#core/detection/delivery.ts';
import type { Tests } from '#core/detection/panels.ts';
import type { DestinationEvent } from '#core/destination-events.ts';
import type { DestinationKind } from '#core/destinations.ts';
import type { AskedKind, NotificationKind } from '#core/notifications.ts';
import type { FailureKind } from '#core/platform.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { ActualStatus, OutsideChange, ReleaseReason, Target } from '#core/reconciler/hold.ts';
import type { Directive, KnownLevel, Level, Threshold } from '#core/smartpause/level.ts';
import type { NotPausedReason } from '#core/outages/reasons.ts';
import type { OtherSchedule } from '#core/smartpause/other-schedule.ts';
import type { Estimate } from '#core/spend/estimate.ts';
import type { SpendProgress } from '#core/spend/reading.ts';
import type { Outage } from '#core/outages/outage.ts';
import type { CleanSince, SilentIncident } from '#core/smartpause/silent-incident.ts';
import type { Component, Status } from '#core/smartpause/status.ts';
import type { StoredStatus } from '#core/smartpause/status-reading.ts';
import type { ResumeSettings } from '#core/settings.ts';
import type { Instant } from '#core/time.ts';

/** Read as milliseconds, written as a Date or by an expression: PostgreSQL refuses a number. */
export type Timestamp = ColumnType<Instant, Instant | Date, Instant | Date>;

/** The source of a change; 'operator' is the command line of this installation. */
export type Actor = 'user' | 'smartpause' | 'meta' | 'stripe' | 'operator';

/** 'NO_PERMISSION': the user declined a required one. */
export type LoginOutcome = 'done' | 'NO_PERMISSION' | LoginError;

/** Filled by its default, then written as JSON. */
type Updated<T> = ColumnType<T, never, string>;

/** What a column holds where SQL does not say it; the generated schema adds null. */
export interface ColumnTypes {
  'users.resumeSettings': ColumnType<ResumeSettings, string, string>;
  'users.refusals': Updated<Record<string, Instant>>;
  'loginAttempts.outcome': LoginOutcome;
  'campaigns.otherSchedule': JSONColumnType<OtherSchedule>;
  'campaignLists.unanswered': JSONColumnType<[id: string, since: Instant][]>;
  'platformStatus.trueLevel': Level;
  'platformStatus.overrideLevel': Directive;
  'platformStatus.effectiveLevel': Level;
  'platformStatus.knownLevel': KnownLevel;
  'platformStatus.knownTrueLevel': Generated<KnownLevel>;
  'platformStatus.matchSince': JSONColumnType<Status['matchSince']>;
  'platformStatus.components': Updated<Component[]>;
  'platformStatus.fileDates': Updated<StoredStatus['fileDates']>;
  'platformStatus.lowerReading': Updated<StoredStatus['lowerReading']>;
  'platformStatus.cleanSince': Updated<CleanSince>;
  'platformStatus.silentIncidents': Updated<SilentIncident[]>;
  'statusObservations.trueLevel': Level;
  'statusObservations.overrideLevel': Directive;
  'outages.peak': KnownLevel;
  'outages.levels': JSONColumnType<Outage['levels']>;
  'outageUsers.threshold': Threshold;
  'outageUsers.reason': NotPausedReason;
  'outageUsers.notPaused': JSONColumnType<Record<string, NotPausedReason>>;
  'outageEstimates.estimate': JSONColumnType<Estimate>;
  'workItems.failureKind': FailureKind;
  'workItems.usage': JSONColumnType<Usage>;
  'workItems.intent': JSONColumnType<object>;
  'accountJobs.progress': JSONColumnType<SpendProgress | DeliveryProgress>;
  'accountWakes.thresholds': Threshold[];
  'holds.level': KnownLevel;
  'holds.surpriseStatus': ActualStatus;
  'holds.failureKind': FailureKind;
  'holds.releaseReason': ReleaseReason;
  'holds.outside': JSONColumnType<OutsideChange>;
  'campaignWrites.failureKind': FailureKind;
  'campaignWrites.statusBefore': Target;
  'campaignWrites.confirmedStatus': Target;
  'campaignChanges.manualChangeIds': (string | null)[];
  'campaignChanges.holdIds': (string | null)[];
  'campaignChanges.failures': (string | null)[];
  'campaignChanges.messages': (string | null)[];
  'activities.actor': Actor;
  'activities.facts': ColumnType<unknown, string | undefined, string>;
  'activities.campaigns': JSONColumnType<
    Record<string, { name: string; holdId?: string; facts?: object; detail?: string | null }>
  >;
  'activities.pendingNotification': NotificationKind;
  'notifications.kind': NotificationKind | AskedKind;
  'notifications.message': JSONColumnType<object>;
  'destinations.kind': DestinationKind;
  'destinations.events': DestinationEvent[];
  /** Selected as text: a date has no time zone. */
  'campaignSpend.day': ColumnType<never, string, string>;
  /** Selected as numbers. */
  'campaignSpend.spend': ColumnType<never, number[], number[]>;
  'campaignSpend.impressions': number[];
  'deliveryLooks.day': ColumnType<never, string, string>;
  'deliveryLooks.campaigns': JSONColumnType<Record<string, [spend: number, impressions: number]>>;
  'deliveries.channel': DestinationKind;
  'signals.evidence': ColumnType<unknown, string | undefined, string>;
  'detection.tests': Updated<Tests>;
  'detection.canary': ColumnType<CanaryRun, never, string>;
}
