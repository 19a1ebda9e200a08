import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** int8 arrives as a string on both engines: ids are never numbers. */
type Id = ColumnType<string, string, string>;
type GeneratedId = Generated<string>;

export interface Schema {
  person: {
    id: GeneratedId;
    platform_user_id: string;
    name: string;
    email: string | null;
    roles: Generated<string[]>;
    initialized_at: Date | null;
    threshold: Generated<string>;
    resume_settings: JSONColumnType<object>;
    threshold_edited_at: Date | null;
    match_ended_at: Date | null;
    match_since_at_edit: Date | null;
    leaving: 'deauthorize' | 'delete' | null;
    leaving_at: Date | null;
    leaving_by: 'person' | 'meta' | null;
    leaving_failures: Generated<number>;
    leaving_retry_at: Date | null;
    leaving_error: string | null;
    logged_in_at: Date;
    created_at: Date;
  };
  session: {
    id: GeneratedId;
    token_hash: Uint8Array;
    person_id: Id;
    created_at: Date;
    expires_at: Date;
    last_used_at: Date;
    device: string;
  };
  login_attempt: {
    state_hash: Uint8Array;
    browser_hash: Uint8Array;
    return_to: string;
    expires_at: Date;
  };
  platform_token: {
    person_id: Id;
    sealed: Uint8Array;
    key_id: string;
    expires_at: Date | null;
    saved_at: Date;
    refused_at: Date | null;
    refused_reason: string | null;
    check_at: Date;
  };
  deletion_request: {
    code: string;
    platform_user_hash: Uint8Array;
    requested_at: Date;
    finished_at: Date | null;
    superseded: boolean;
  };
  subscription: {
    person_id: Id;
    source: 'stripe' | 'grant';
    status: string;
    plan_type: string;
    current_period_end: Date;
    canceled_at: Date | null;
    trial_end: Date | null;
    renews: boolean;
  };
  billing_customer: {
    person_id: Id;
    customer_id: string | null;
    request_key: string;
    sync_no: Generated<number>;
    written_no: Generated<number>;
    sync_at: Date;
    checkout_until: Generated<Date | null>;
    failed_since: Generated<Date | null>;
    last_error: Generated<string | null>;
  };
  webhook_delivery: { signature_hash: Uint8Array; event_id: string; type: string; received_at: Date };
  trial_used: { platform_user_hash: Uint8Array; at: Date };
  ad_account: {
    person_id: Id;
    id: string;
    name: string;
    currency: string;
    account_status: number;
    seen_at: Date;
    lost_at: Date | null;
  };
  campaign: {
    id: string;
    account_id: string;
    name: string;
    status: string;
    objective: string;
    daily_budget: string | null;
    listed: Generated<boolean>;
    seen_at: Date;
    paused_by_hand_at: Date | null;
    is_legacy_advantage: Generated<boolean>;
  };
  campaign_list: { account_id: string; read_at: Date };
  smart_pause: {
    person_id: Id;
    campaign_id: string;
    account_id: string;
    setting: string;
    changed_at: Date;
  };
  platform_status: {
    id: number;
    true_level: string;
    message: string;
    quote: string | null;
    known_is_from_backup: Generated<boolean>;
    directive: string | null;
    effective: string;
    known: string;
    match_since: JSONColumnType<object>;
    login_disrupted: Generated<boolean>;
    checked_at: Date | null;
    since: Date | null;
    poller: string | null;
    poller_until: Date | null;
  };
  observation: {
    id: GeneratedId;
    at: Date;
    true_level: string;
    directive: string | null;
    effective: string;
    known: string;
    message: string;
  };
  status_answer: {
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
  outage: {
    id: GeneratedId;
    started_at: Date;
    ended_at: Date | null;
    peak: string;
    levels: JSONColumnType<object>;
  };
  lane: {
    account_id: string;
    next_due_at: Date | null;
    priority: Generated<string>;
    lease_owner: string | null;
    lease_until: Date | null;
    lease_no: Generated<number>;
    failures: Generated<number>;
    last_error: string | null;
    blocked_until: Date | null;
    usage: JSONColumnType<object> | null;
  };
  hold: {
    id: GeneratedId;
    person_id: Id;
    account_id: string;
    campaign_id: string;
    state: 'pausing' | 'paused' | 'resuming' | 'ended';
    outcome: 'resumed' | 'let_go' | null;
    reason: string | null;
    attempt: Generated<number>;
    failures: Generated<number>;
    in_doubt: Generated<boolean>;
    sent_at: Date | null;
    late_pause_until: Date | null;
    late_resume_until: Date | null;
    resumed_at: Date | null;
    given_up: string | null;
    turned_off: Generated<boolean>;
    retry_at: Date | null;
    suspected_status: string | null;
    suspected_since: Date | null;
    last_error: string | null;
    created_at: Date;
    read_at: Date | null;
    paused_for: string | null;
    paused_at: Date | null;
    ended_at: Date | null;
    unsettled: string | null;
  };
  activity: {
    id: GeneratedId;
    person_id: string | null;
    type: string;
    message: string;
    at: Date;
    account_id: string | null;
    campaign_id: string | null;
    hold_id: string | null;
    event: string;
    actor: string;
    reason: string | null;
    mail_id: string | null;
  };
  mail: {
    id: GeneratedId;
    person_id: string | null;
    kind: string;
    event: string | null;
    created_at: Date;
    due_at: Date | null;
    sealed_at: Date | null;
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
