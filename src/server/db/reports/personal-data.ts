import type { PersonalData } from '#contract/personal-data.ts';
import { resumeSettings } from '#contract/shapes.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';

/** Every table that knows something of a person, read for themselves. */
export async function readPersonalData(db: Db, personId: string, now: Instant): Promise<PersonalData> {
  const of = { personId, now };
  return {
    exportedAt: iso(new Date(now)),
    person: await readPerson(db, of),
    stripeCustomerId: await readStripeCustomer(db, of),
    subscriptions: await readSubscriptions(db, of),
    metaAccess: await readAccess(db, of),
    sessions: await readSessions(db, of),
    adAccounts: await readAdAccounts(db, of),
    smartPause: await readSmartPause(db, of),
    holds: await readHolds(db, of),
    activities: await readActivities(db, of),
    emails: await readMails(db, of),
  };
}

interface Of {
  personId: string;
  now: Instant;
}

async function readPerson(db: Db, { personId }: Of): Promise<PersonalData['person']> {
  const row = await db.selectFrom('person').selectAll().where('id', '=', personId).executeTakeFirstOrThrow();
  return {
    name: row.name,
    metaUserId: row.platform_user_id,
    email: row.email,
    roles: row.roles,
    signedUpAt: iso(row.created_at),
    setUpAt: maybeIso(row.initialized_at),
    outageThreshold: row.threshold,
    resumeSettings: resumeSettings.parse(row.resume_settings),
  };
}

async function readSubscriptions(db: Db, { personId }: Of): Promise<PersonalData['subscriptions']> {
  const rows = await db
    .selectFrom('subscription')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('source')
    .execute();
  return rows.map((row) => ({
    source: row.source,
    status: row.status,
    planType: row.plan_type,
    currentPeriodEnd: iso(row.current_period_end),
    canceledAt: maybeIso(row.canceled_at),
    trialEnd: maybeIso(row.trial_end),
  }));
}

async function readStripeCustomer(db: Db, { personId }: Of): Promise<string | null> {
  const row = await db
    .selectFrom('billing_customer')
    .select('customer_id')
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row?.customer_id ?? null;
}

async function readAccess(db: Db, { personId }: Of): Promise<PersonalData['metaAccess']> {
  const row = await db
    .selectFrom('platform_token')
    .select(['saved_at', 'expires_at', 'refused_at'])
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    savedAt: iso(row.saved_at),
    expiresAt: maybeIso(row.expires_at),
    refusedAt: maybeIso(row.refused_at),
  };
}

async function readSessions(db: Db, { personId, now }: Of): Promise<PersonalData['sessions']> {
  const rows = await db
    .selectFrom('session')
    .select(['device', 'created_at', 'last_used_at', 'expires_at'])
    .where('person_id', '=', personId)
    .where('expires_at', '>', new Date(now))
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    device: row.device,
    startedAt: iso(row.created_at),
    lastUsedAt: iso(row.last_used_at),
    expiresAt: iso(row.expires_at),
  }));
}

async function readAdAccounts(db: Db, { personId }: Of): Promise<PersonalData['adAccounts']> {
  const rows = await db
    .selectFrom('ad_account')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('id')
    .execute();
  return rows.map(({ id, name, currency, seen_at }) => ({ id, name, currency, lastSeenAt: iso(seen_at) }));
}

async function readSmartPause(db: Db, { personId }: Of): Promise<PersonalData['smartPause']> {
  const rows = await db
    .selectFrom('smart_pause')
    .leftJoin('campaign', 'campaign.id', 'smart_pause.campaign_id')
    .select(['smart_pause.campaign_id', 'campaign.name', 'smart_pause.account_id', 'setting', 'changed_at'])
    .where('person_id', '=', personId)
    .orderBy('smart_pause.campaign_id')
    .execute();
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    campaign: row.name,
    adAccountId: row.account_id,
    setting: row.setting,
    changedAt: iso(row.changed_at),
  }));
}

async function readHolds(db: Db, { personId }: Of): Promise<PersonalData['holds']> {
  const rows = await db
    .selectFrom('hold')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    adAccountId: row.account_id,
    state: row.state,
    outcome: row.outcome,
    reason: row.reason,
    beganAt: iso(row.created_at),
    pausedAt: maybeIso(row.paused_at),
    endedAt: maybeIso(row.ended_at),
  }));
}

async function readActivities(db: Db, { personId }: Of): Promise<PersonalData['activities']> {
  const rows = await db
    .selectFrom('activity')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('id')
    .execute();
  return rows.map(({ at, actor, type, event, message, reason, account_id, campaign_id }) => ({
    at: iso(at),
    actor,
    type,
    event,
    message,
    reason,
    adAccountId: account_id,
    campaignId: campaign_id,
  }));
}

async function readMails(db: Db, { personId }: Of): Promise<PersonalData['emails']> {
  const rows = await db
    .selectFrom('mail')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    kind: row.kind,
    subject: row.subject,
    to: row.to_address,
    writtenAt: iso(row.created_at),
    sentAt: maybeIso(row.sent_at),
  }));
}

function iso(at: Date): string {
  return at.toISOString();
}

function maybeIso(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
