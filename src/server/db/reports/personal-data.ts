import type { PersonalData } from '#contract/personal-data.ts';
import { resumeSettings } from '#contract/shapes.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';

/** Reads every table with data of the user, for their export. */
export async function readPersonalData(db: Db, userId: string, now: Instant): Promise<PersonalData> {
  const [metaAccess] = await readAccess(db, userId);
  return {
    exportedAt: new Date(now).toISOString(),
    user: await readUser(db, userId),
    stripeCustomerId: await readStripeCustomer(db, userId),
    subscriptions: asJson(await readSubscriptions(db, userId)),
    metaAccess: metaAccess === undefined ? null : asJson(metaAccess),
    sessions: asJson(await readSessions(db, userId, now)),
    adAccounts: asJson(await readAdAccounts(db, userId)),
    smartPause: asJson(await readSmartPause(db, userId)),
    holds: asJson(await readHolds(db, userId)),
    outages: asJson(await readOutages(db, userId)),
    activities: asJson(await readActivities(db, userId)),
    emails: asJson(await readNotifications(db, userId)),
  };
}

type Json<T> = T extends Date ? string : T extends object ? { [Key in keyof T]: Json<T[Key]> } : T;

/** Turns the timestamps into texts. */
function asJson<T>(data: T): Json<T> {
  return JSON.parse(JSON.stringify(data)) as Json<T>;
}

async function readUser(db: Db, userId: string): Promise<PersonalData['user']> {
  const row = await db
    .selectFrom('app_user')
    .select(['name', 'platform_user_id as metaUserId', 'email', 'roles', 'threshold as outageThreshold'])
    .select(['created_at as signedUpAt', 'initialized_at as setUpAt', 'resume_settings'])
    .select('on_for_new_campaigns as onForNewCampaigns')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const { resume_settings: resume, ...user } = row;
  return { ...asJson(user), resumeSettings: resumeSettings.parse(resume) };
}

async function readStripeCustomer(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('billing_customer')
    .select('customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.customer_id ?? null;
}

function readSubscriptions(db: Db, userId: string) {
  return db
    .selectFrom('subscription')
    .select(['source', 'status', 'plan_type as planType', 'current_period_end as currentPeriodEnd'])
    .select(['canceled_at as canceledAt', 'trial_end as trialEnd'])
    .where('user_id', '=', userId)
    .orderBy('source')
    .execute();
}

function readAccess(db: Db, userId: string) {
  return db
    .selectFrom('platform_token')
    .select(['saved_at as savedAt', 'expires_at as expiresAt', 'refused_at as refusedAt'])
    .where('user_id', '=', userId)
    .execute();
}

function readSessions(db: Db, userId: string, now: Instant) {
  return db
    .selectFrom('session')
    .select(['created_at as startedAt', 'last_used_at as lastUsedAt', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date(now))
    .orderBy('created_at')
    .execute();
}

function readAdAccounts(db: Db, userId: string) {
  return db
    .selectFrom('ad_account')
    .select(['id', 'name', 'currency', 'seen_at as lastSeenAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

function readSmartPause(db: Db, userId: string) {
  return db
    .selectFrom('smart_pause')
    .leftJoin('campaign', 'campaign.id', 'smart_pause.campaign_id')
    .select(['smart_pause.campaign_id as campaignId', 'campaign.name as campaign'])
    .select(['smart_pause.account_id as adAccountId', 'setting', 'changed_at as changedAt'])
    .where('user_id', '=', userId)
    .orderBy('smart_pause.campaign_id')
    .execute();
}

function readHolds(db: Db, userId: string) {
  return db
    .selectFrom('hold')
    .select(['campaign_id as campaignId', 'account_id as adAccountId', 'state', 'outcome', 'reason'])
    .select([
      'began_as_test as isTest',
      'created_at as beganAt',
      'paused_at as pausedAt',
      'ended_at as endedAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

function readOutages(db: Db, userId: string) {
  return db
    .selectFrom('outage_user')
    .innerJoin('outage', 'outage.id', 'outage_user.outage_id')
    .select(['started_at as startedAt', 'ended_at as endedAt', 'peak', 'threshold', 'reason'])
    .select('not_paused as notPaused')
    .where('user_id', '=', userId)
    .orderBy('outage_id')
    .execute();
}

function readActivities(db: Db, userId: string) {
  return db
    .selectFrom('activity')
    .select(['at', 'actor', 'type', 'event', 'message', 'reason'])
    .select(['account_id as adAccountId', 'campaign_id as campaignId'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

function readNotifications(db: Db, userId: string) {
  return db
    .selectFrom('notification')
    .select(['kind', 'subject', 'to_address as to', 'created_at as writtenAt', 'sent_at as sentAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}
