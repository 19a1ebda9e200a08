import type { AppStop } from '#core/app-state.ts';
import type { Look } from '#core/detection/delivery.ts';
import type { HourlySpend, PlatformAdAccount, PlatformCampaign, PlatformFailure } from '#core/platform.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { StatusChange } from '#core/reconciler/change-log.ts';
import type { Incident } from '#core/outages/incident.ts';
import type { CleanSince, SilentIncident } from '#core/smartpause/silent-incident.ts';
import type { Component } from '#core/smartpause/status.ts';
import type { StatusReading } from '#core/smartpause/status-reading.ts';
import type { Instant } from '#core/time.ts';

export type PlatformResult<T> = { ok: true; value: T } | { ok: false; failure: PlatformFailure };

/** About one ad account, with the rate limit usage that the platform reported. */
export type AccountResult<T> = PlatformResult<T> & { usage: Usage | null };

/** A partial list, or log: nothing follows from an item that is missing in it. */
export type ListResult<T> =
  { ok: true; value: T[]; isPartial: boolean } | { ok: false; failure: PlatformFailure };

/**
 * The result of one status change in a batch. `refusal`: the platform's words when it refuses this change; `isFinal`: as
 * it always will, such as of an ended campaign. A refusal of the whole batch says nothing about one change.
 */
export type WriteResult =
  { ok: true } | { ok: false; failure: PlatformFailure; refusal?: string; isFinal?: boolean };

/** A change of a campaign's status, by the platform's clock. */
export type LoggedChange = StatusChange & { campaignId: string };

/** A campaign that was read by its id. AWAY: the platform says that it does not exist. */
export type FoundCampaign = PlatformCampaign | 'AWAY';

export interface WantedStatus {
  campaignId: string;
  status: 'ACTIVE' | 'PAUSED';
}

/** Reads and changes ad accounts, each with a token of a user who may. */
export interface AdPlatform {
  /** By how much the platform's clock is ahead of ours, in milliseconds, derived from its responses. */
  aheadMs(): number;
  listAdAccounts(token: string): Promise<ListResult<PlatformAdAccount>>;
  /** Without deleted campaigns; archived ones only on request, since there may be thousands. */
  listCampaigns(
    token: string,
    accountId: string,
    given?: { withArchived: boolean },
  ): Promise<ListResult<PlatformCampaign> & { usage: Usage | null; withArchived: boolean }>;
  /** By id, with the fields of the list. Absent: the platform did not say. */
  readCampaigns(
    token: string,
    accountId: string,
    ids: readonly string[],
  ): Promise<AccountResult<Map<string, FoundCampaign>>>;
  /** Status changes of campaigns since then (platform's clock), newest first, from the activity log. */
  readStatusChanges(
    token: string,
    accountId: string,
    since: Instant,
  ): Promise<ListResult<LoggedChange> & { usage: Usage | null }>;
  /** At most 50 changes in one call, sent at `sentAt`, or not at all after `sendBy`. Every change has its own result. */
  setStatuses(
    token: string,
    accountId: string,
    changes: readonly WantedStatus[],
    sendBy: Instant,
  ): Promise<{ results: Map<string, WriteResult>; usage: Usage | null; sentAt: Instant }>;
}

/** Of one day, by campaign, or by the ad account for all its campaigns; what spent nothing is missing. FAILED: the platform will not make the report. */
export type SpendReport = Map<string, HourlySpend> | 'PENDING' | 'FAILED';

/** Reports of what campaigns have spent. The platform makes them in its own time, and limits them apart from all else. */
export interface SpendReports {
  /**
   * @param day '2026-01-09', of the ad account's clock
   * @param campaignIds null: all campaigns together
   * @returns the id; null: the report would be too large
   */
  begin(
    token: string,
    accountId: string,
    day: string,
    campaignIds: readonly string[] | null,
  ): Promise<AccountResult<string | null>>;
  read(token: string, accountId: string, day: string, reportId: string): Promise<AccountResult<SpendReport>>;
  /** What the campaigns have delivered on the day so far, at once and without its hours. */
  readDay(token: string, accountId: string, day: string): Promise<AccountResult<Look['campaigns']>>;
}

/** Calls that change nothing, on an ad account of the operator. */
export interface CanaryCalls {
  /** @returns a campaign to validate a write of; null: the ad account has none */
  readCampaign(): Promise<PlatformResult<{ id: string; status: string } | null>>;
  /** @param day '2026-01-09' */
  readSpend(day: string): Promise<PlatformResult<unknown>>;
  /** Meta checks the write of the status that the campaign has, and does nothing. */
  validate(campaign: { id: string; status: string }): Promise<PlatformResult<unknown>>;
  /** Of the rate limits that Meta has stated since the last time it was asked, the highest, in percent. */
  takeUsedPercent(): number;
}

export interface PlatformUser {
  id: string;
  name: string;
  email: string | null;
}

export interface AccessToken {
  token: string;
  /** Null: the platform names no expiry. */
  expiresInMs: number | null;
}

export type TokenReport =
  | { isValid: false }
  | {
      isValid: true;
      expiresAt: Instant | null;
      /** Null: the platform does not say. */
      permissions: string[] | null;
    };

/** Sent by the platform when a user removes the app there, or asks for their data to be deleted. */
export interface SignedRequest {
  platformUserId: string;
  issuedAt: Instant;
}

export interface PlatformLogin {
  dialogAddress: (given: Record<'redirectUri' | 'state' | 'codeChallenge', string>) => string;
  /** Never retried: a code is valid for one exchange, and a lost response may have used it. */
  exchangeCode: (
    given: Record<'code' | 'redirectUri' | 'codeVerifier', string>,
  ) => Promise<PlatformResult<AccessToken>>;
  /** Exchanges a token for a longer one. */
  extend: (token: string) => Promise<PlatformResult<AccessToken>>;
  whoIs: (token: string) => Promise<PlatformResult<PlatformUser>>;
  grantedPermissions: (token: string) => Promise<PlatformResult<string[]>>;
  revoke: (token: string) => Promise<PlatformResult<true>>;
  /** Inspects a token as the app: an invalid token is a result, not a failure. */
  inspect: (token: string) => Promise<PlatformResult<TokenReport>>;
  /** Null: not from the platform, or too old. */
  readSignedRequest: (text: string) => SignedRequest | null;
}

/** Calls that wait while the platform answers none, or refuses our app. */
export interface CallGate {
  isOpen(): boolean;
  /** 0: a call may be sent now. */
  msUntilNextCall(): number;
}

/** What all processes know about our app at the platform. */
export interface AppAccess extends Pick<CallGate, 'msUntilNextCall'> {
  /** Null: the platform serves the app. */
  stopped(): AppStop | null;
  /** Pages and background reads use what is stored. */
  isSparing(): boolean;
  /** Most of the app's limit is used. */
  isNearLimit(): boolean;
}

/** One service of one product on the status page, such as Ads Delivery of ads-manager. */
export interface WatchedService {
  product: string;
  service: string;
}

/** A file of the status page, unchanged. */
export interface StatusFile {
  path: string;
  body: string;
}

/** One status observation. */
export interface Observation extends StatusReading {
  /** The login or the API itself is disrupted: a rejected token proves nothing then. Null: unknown. */
  loginDisrupted: boolean | null;
  /** The watched services, then the others that matter to advertisers. */
  components: readonly Component[];
  /** What could not be read, for operators; null: nothing. */
  trouble: string | null;
  cleanSince: CleanSince;
  silentIncidents: readonly SilentIncident[];
  /** The files that were read. */
  files: StatusFile[];
}

/** What earlier readings have stored, and the time of this one. */
export interface Remembered {
  fileDates: Readonly<Record<string, Instant>>;
  cleanSince: CleanSince;
  now: Instant;
}

export interface StatusPage {
  observe(remembered: Remembered): Promise<Observation>;
  /** The files that list former outages; one that could not be read is left out. */
  readHistory(): Promise<StatusFile[]>;
  /**
   * The former and open outages in stored files.
   * @param silent the end of these is unknown
   */
  publishedIn(files: readonly StatusFile[], silent: readonly SilentIncident[]): Incident[];
}
