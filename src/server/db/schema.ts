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
    platform_user_id: string;
    name: string;
    email: string | null;
    roles: Generated<string[]>;
    initialized_at: Date | null;
    threshold: Generated<Threshold>;
    resume_settings: JSONColumnType<object>;
    on_for_new_campaigns: Generated<boolean>;
    threshold_edited_at: Date | null;
    match_ended_at: Date | null;
    match_since_at_edit: Date | null;
    leaving: 'deauthorize' | 'delete' | null;
    leaving_at: Date | null;
    leaving_by: 'user' | 'meta' | null;
    leaving_failures: Generated<number>;
    leaving_retry_at: Date | null;
    leaving_error: string | null;
    logged_in_at: Date;
    created_at: Date;
  };
  sessions: {
    id: GeneratedId;
    token_hash: Uint8Array;
    user_id: Id;
    created_at: Date;
    expires_at: Date;
    last_used_at: Date;
  };
  login_attempts: {
    state_hash: Uint8Array;
    browser_hash: Uint8Array;
    return_to: string;
    expires_at: Date;
    code_hash: Uint8Array | null;
    claimed_at: Date | null;
    answer: Uint8Array | null;
    answer_key_id: string | null;
  };
  platform_tokens: {
    user_id: Id;
    ciphertext: Uint8Array;
    key_id: string;
    expires_at: Date | null;
    saved_at: Date;
    rejected_at: Date | null;
    rejected_reason: string | null;
    check_at: Date;
    checked_at: Date | null;
    extend_at: Date | null;
  };
  deletion_requests: {
    code: string;
    platform_user_hash: Uint8Array;
    requested_at: Date;
    finished_at: Date | null;
    superseded: boolean;
  };
  subscriptions: {
    user_id: Id;
    source: 'stripe' | 'grant';
    status: SubscriptionStatus;
    plan_type: PlanType;
    current_period_end: Date;
    canceled_at: Date | null;
    trial_end: Date | null;
    renews: boolean;
  };
  stripe_customers: {
    user_id: Id;
    customer_id: string | null;
    request_key: string;
    sync_no: Generated<number>;
    written_no: Generated<number>;
    sync_at: Date;
    checkout_until: Generated<Date | null>;
    failed_since: Generated<Date | null>;
    last_error: Generated<string | null>;
  };
  webhook_deliveries: { signature_hash: Uint8Array; event_id: string; type: string; received_at: Date };
  used_trials: { platform_user_hash: Uint8Array; used_at: Date };
  ad_accounts: {
    user_id: Id;
    id: string;
    name: string;
    currency: string;
    account_status: number;
    seen_at: Date;
    lost_at: Date | null;
  };
  campaigns: {
    id: string;
    account_id: string;
    name: string;
    status: string;
    objective: string;
    daily_budget: string | null;
    is_listed: Generated<boolean>;
    seen_at: Date;
    paused_manually_at: Date | null;
    /** When a list first showed a status that was not set through SmartPause. */
    changed_in_ads_manager_at: Date | null;
    is_legacy_advantage: Generated<boolean>;
    start_time: Date | null;
    stop_time: Date | null;
  };
  campaign_lists: { account_id: string; read_at: Date; was_whole: Generated<boolean> };
  smartpause_settings: {
    user_id: Id;
    campaign_id: string;
    account_id: string;
    setting: SmartPauseSetting;
    changed_at: Date;
  };
  platform_status: {
    id: number;
    true_level: Level;
    message: string;
    quote: string | null;
    known_is_from_backup: Generated<boolean>;
    override_level: Directive | null;
    effective_level: Level;
    known_level: KnownLevel;
    match_since: JSONColumnType<Status['matchSince']>;
    login_disrupted: Generated<boolean>;
    checked_at: Date | null;
    since: Date | null;
    poller: string | null;
    poller_until: Date | null;
  };
  status_observations: {
    id: GeneratedId;
    at: Date;
    true_level: Level;
    override_level: Directive | null;
    effective_level: Level;
    known_level: KnownLevel;
    message: string;
  };
  status_answers: {
    id: GeneratedId;
    first_at: Date;
    last_at: Date;
    times: Generated<number>;
    level: string;
    message: string;
    services: JSONColumnType<object>;
    trouble: string | null;
    took_ms: number;
    longest_ms: number;
  };
  status_files: {
    id: GeneratedId;
    path: string;
    sha256: Uint8Array;
    first_at: Date;
    last_at: Date;
    body: Uint8Array;
  };
  outages: {
    id: GeneratedId;
    started_at: Date;
    ended_at: Date | null;
    peak: KnownLevel;
    levels: JSONColumnType<Outage['levels']>;
    recorded_at: Generated<Date | null>;
  };
  /** What an ended outage meant for one user. */
  outage_users: {
    outage_id: Id;
    user_id: Id;
    threshold: Threshold;
    reason: NotPausedReason | null;
    not_paused: JSONColumnType<Record<string, NotPausedReason>>;
  };
  work_items: {
    account_id: string;
    due_at: Date | null;
    priority: Generated<string>;
    leased_by: string | null;
    lease_until: Date | null;
    fencing_token: Generated<number>;
    generation: Generated<number>;
    failures: Generated<number>;
    last_error: string | null;
    blocked_until: Date | null;
    usage: JSONColumnType<Usage> | null;
  };
  holds: {
    id: GeneratedId;
    user_id: Id;
    account_id: string;
    campaign_id: string;
    state: HoldState | 'ended';
    outcome: 'resumed' | 'released' | null;
    reason: string | null;
    attempt: Generated<number>;
    failures: Generated<number>;
    sent_at: Date | null;
    resumed_at: Date | null;
    release: string | null;
    turned_off: Generated<boolean>;
    retry_at: Date | null;
    refusals: Generated<number>;
    /** Meta's own words. */
    refusal: string | null;
    suspected_status: string | null;
    suspected_since: Date | null;
    last_error: string | null;
    created_at: Date;
    read_at: Date | null;
    paused_for: string | null;
    paused_threshold: Threshold | null;
    paused_at: Date | null;
    ended_at: Date | null;
    unconfirmed_write: string | null;
    pause_sent_at: Date | null;
    resume_sent_at: Date | null;
    test_until: Date | null;
    began_as_test: Generated<boolean>;
  };
  manual_changes: {
    id: GeneratedId;
    user_id: Id;
    account_id: string;
    campaign_id: string;
    status: 'ACTIVE' | 'PAUSED';
    requested_at: Date;
    sent_at: Date | null;
    ended_at: Date | null;
    refusal: string | null;
    meta_said: string | null;
  };
  activities: {
    id: GeneratedId;
    user_id: string | null;
    type: ActivityType;
    message: string;
    created_at: Date;
    account_id: string | null;
    campaign_id: string | null;
    hold_id: string | null;
    event: string;
    actor: Actor;
    reason: string | null;
    notification_id: string | null;
  };
  notifications: {
    id: GeneratedId;
    user_id: string | null;
    kind: NotificationKind;
    event: string | null;
    created_at: Date;
    due_at: Date | null;
    finalized_at: Date | null;
    to_address: string | null;
    subject: string | null;
    text: string | null;
    html: string | null;
    attempts: Generated<number>;
    lease_until: Date | null;
    last_error: string | null;
    sent_at: Date | null;
    failed_at: Date | null;
  };
}
