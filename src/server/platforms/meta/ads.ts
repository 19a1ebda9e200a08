import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isLegacyAdvantage } from '#core/campaign.ts';
import type { PlatformAdAccount, PlatformCampaign } from '#core/platform.ts';
import { mayBeTheToken, unasked, unreadable, unusable } from '#core/platform.ts';
import { ADS_MANAGER } from '#core/reconciler/hold.ts';
import { BATCH_MAX } from '#core/platform-usage.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import { knownZone } from '#core/time-zone.ts';
import type {
  AccountResult,
  AdPlatform,
  FoundCampaign,
  ListResult,
  LoggedChange,
  PlatformResult,
  WantedStatus,
  WriteResult,
} from '../platform.ts';
import type { BatchResponse } from './batch.ts';
import { sendBatch } from './batch.ts';
import type { GraphResponse, GraphClient } from './client.ts';
import { parseJson } from './client.ts';
import { isFinalRefusal } from './final-refusals.ts';
import { PageSizes } from './page-sizes.ts';
import type { Pages } from './paging.ts';
import { readAllPages } from './paging.ts';
import { readUsage } from './usage.ts';

/** An IANA name: an offset such as '+02:00' is none. */
function isTimeZone(timeZone: string): boolean {
  return /^[A-Z]/.test(timeZone) && knownZone(timeZone) !== null;
}

/** Meta also lists ad accounts without a name. */
function nameOf({ id, name }: { id: string; name: string }): string {
  return name.trim() === '' ? id : name;
}

/** One of these lets a user change campaigns. */
const CHANGING_TASKS = ['MANAGE', 'ADVERTISE'];
const amount = z
  .union([z.string().regex(/^\d+$/).transform(Number), z.number()])
  .nullish()
  .catch(null);
/** Of a size that PostgreSQL can store. */
const code = amount.pipe(z.int32().nullable()).catch(null);
const timeZone = z.string().refine(isTimeZone).nullable().catch(null);
const adAccount = z
  .object({
    id: z.string(),
    name: z.string().default(''),
    currency: z.string().default(''),
    user_tasks: z.array(z.string()).optional().catch(undefined),
    account_status: code,
    disable_reason: code,
    timezone_name: timeZone,
    business: z.object({ id: z.string() }).nullable().catch(null),
  })
  .transform(({ id, name, currency, user_tasks: tasks, ...more }): PlatformAdAccount => ({
    id,
    name: nameOf({ id, name }),
    currency,
    mayPause: tasks === undefined || tasks.some((task) => CHANGING_TASKS.includes(task)),
    accountStatus: more.account_status,
    disableReason: more.disable_reason,
    timeZone: more.timezone_name,
    businessId: more.business?.id ?? null,
  }));
const AD_ACCOUNT_FIELDS = 'id,name,currency,user_tasks,account_status,disable_reason,timezone_name';
/** PostgreSQL cannot store later ones than JavaScript can. */
const LAST_TIME = Date.parse('9999-12-31T00:00:00Z');
/** Before Meta had ads: it writes 'none' as 1970, in any time zone. */
const FIRST_TIME = Date.parse('2000-01-01T00:00:00Z');
/** '2026-03-16T19:30:00-0400'; null: no limit, or one that cannot be read. `Date.parse` reads '0' as a year. */
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/)
  .transform((text) => Date.parse(text))
  .refine((at) => at > FIRST_TIME && at < LAST_TIME)
  .nullish()
  .transform((at) => at ?? null)
  .catch(null);
const campaign = z
  .object({
    id: z.string(),
    name: z.string().default(''),
    status: z.string(),
    objective: z.string().default(''),
    daily_budget: amount,
    smart_promotion_type: z.string().nullish().catch(null),
    start_time: time,
    stop_time: time,
  })
  .transform(({ daily_budget, smart_promotion_type, start_time, stop_time, ...one }): PlatformCampaign => ({
    ...one,
    name: nameOf(one),
    startTime: start_time,
    stopTime: stop_time,
    dailyBudget: daily_budget ?? null,
    isLegacyAdvantage: isLegacyAdvantage(smart_promotion_type ?? null),
  }));
const CAMPAIGN_FIELDS = 'id,name,status,objective,daily_budget,smart_promotion_type,start_time,stop_time';
/** Without this filter Meta omits archived campaigns. It refuses values that only ads can have. */
const NOT_DELETED = JSON.stringify(['ACTIVE', 'PAUSED', 'ARCHIVED', 'IN_PROCESS', 'WITH_ISSUES']);
const writeDone = z.union([z.object({ success: z.literal(true) }), z.object({ id: z.string() })]);

/** Of the platform's activity log; other changes are not requested. */
const activity = z.object({
  event_type: z.literal('update_campaign_run_status'),
  event_time: z
    .string()
    .transform((text) => Date.parse(text))
    .pipe(z.number()),
  application_id: z.coerce.string(),
  application_name: z.string().trim().catch(''),
  actor_name: z.string().trim().catch(''),
  object_id: z.coerce.string(),
  extra_data: z.string().catch('{}'),
});
const newStatus = z.object({
  new_value: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'])),
});
const statusChange = (appId: string) =>
  activity.transform((one): LoggedChange => ({
    campaignId: one.object_id,
    at: one.event_time,
    isOurs: one.application_id === appId,
    to: newStatus.safeParse(parseJson(one.extra_data)).data?.new_value ?? null,
    by: authorOf(one),
  }));

/** The name that Meta's log has for Ads Manager. */
const NAMED_ADS_MANAGER = /^(Power Editor|Ads Manager)/i;

function authorOf({ application_name: app, actor_name: person }: z.infer<typeof activity>) {
  const tool = NAMED_ADS_MANAGER.test(app) ? ADS_MANAGER : app;
  // A tool without a person of its own acts under its name.
  return { tool: tool || null, person: person === '' || person === app ? null : person };
}

/**
 * @param appId our app, which identifies our own changes
 * @param onUsage called with each report of an ad account's rate limit
 * @param sizes shared by the platforms of a process
 */
export function createAdPlatform(
  graph: GraphClient,
  appId: string,
  onUsage?: (usage: Usage) => void,
  sizes = new PageSizes(),
): AdPlatform {
  const withoutBusiness = new Set<string>();
  const usageOf: UsageReader = (accountId, { headers }) => {
    const usage = readUsage(headers, accountId, graph.now());
    if (usage !== null) onUsage?.(usage);
    return usage;
  };
  return {
    aheadMs: () => graph.aheadMs(),

    async listAdAccounts(token) {
      return listOf(adAccount, await readAdAccounts(graph, token, { sizes, withoutBusiness }));
    },

    async listCampaigns(token, accountId, { withArchived } = { withArchived: false }) {
      const call = { path: `${accountId}/campaigns`, token };
      const read = (params: Params): Promise<Pages> =>
        readAllPages(graph, { ...call, params }, { sizes, list: call.path });
      const { pages, ...has } = await readFiltered(read, withArchived);
      return { ...listOf(campaign, pages), ...has, usage: usageOf(accountId, pages.response) };
    },

    readCampaigns: (token, accountId, ids) =>
      readCampaigns(graph, { token, ids }, (response) => usageOf(accountId, response)),

    async readStatusChanges(token, accountId, since) {
      const fields = 'event_type,event_time,application_id,application_name,actor_name,object_id,extra_data';
      const params = { fields, category: 'STATUS', since: String(Math.floor(since / 1000)) };
      const pages = await readAllPages(graph, { path: `${accountId}/activities`, params, token }, null);
      return { ...listOf(statusChange(appId), pages), usage: usageOf(accountId, pages.response) };
    },

    async setStatuses(token, accountId, changes, sendBy) {
      const { batch, sentAt } = await sendChanges(graph, token, changes, sendBy);
      const results = changes.map(({ campaignId }, index): [string, WriteResult] => [
        campaignId,
        batch.ok ? writeResult(batch.value[index]) : { ok: false, failure: batch.failure },
      ]);
      return { results: new Map(results), usage: usageOf(accountId, batch), sentAt };
    },
  };
}

/**
 * Each user has another list at the same path. Without the permission for businesses Meta refuses a list that asks for
 * them: such users are read without, also from then on.
 */
async function readAdAccounts(
  graph: GraphClient,
  token: string,
  { sizes, withoutBusiness }: { sizes: PageSizes; withoutBusiness: Set<string> },
): Promise<Pages> {
  const list = `me/adaccounts ${createHash('sha256').update(token).digest('base64url')}`;
  const read = (fields: string): Promise<Pages> =>
    readAllPages(graph, { path: 'me/adaccounts', params: { fields }, token }, { sizes, list });
  if (!withoutBusiness.has(list)) {
    const pages = await read(`${AD_ACCOUNT_FIELDS},business`);
    if (!refuses(pages.response)) return pages;
  }
  const pages = await read(AD_ACCOUNT_FIELDS);
  if (pages.response.ok) withoutBusiness.add(list);
  return pages;
}

type Params = Record<string, string>;
type UsageReader = (accountId: string, response: { headers: Record<string, string> }) => Usage | null;

/** If the platform refuses the filter, the list is the one without archived campaigns. */
async function readFiltered(read: (params: Params) => Promise<Pages>, withArchived: boolean) {
  const params = { fields: CAMPAIGN_FIELDS };
  const filtered = withArchived ? await read({ ...params, effective_status: NOT_DELETED }) : null;
  if (filtered !== null && !refuses(filtered.response)) return { pages: filtered, withArchived: true };
  return { pages: await read(params), withArchived: false };
}

/** Meta does not always say why: the answer without what was asked for besides decides. */
function refuses(response: GraphResponse): boolean {
  return !response.ok && response.failure.kind === 'rejected';
}

async function readCampaigns(
  graph: GraphClient,
  { token, ids }: { token: string; ids: readonly string[] },
  usageOf: (response: BatchResponse) => Usage | null,
): Promise<AccountResult<Map<string, FoundCampaign>>> {
  const found = new Map<string, FoundCampaign>();
  let usage: Usage | null = null;
  for (let start = 0; start < ids.length; start += BATCH_MAX) {
    const chunk = ids.slice(start, start + BATCH_MAX);
    const operations = chunk.map((id) => ({
      method: 'GET' as const,
      relative_url: `${id}?fields=${CAMPAIGN_FIELDS}`,
    }));
    const batch = await sendBatch(graph, token, operations);
    usage = usageOf(batch) ?? usage;
    if (!batch.ok) return { ok: false, failure: batch.failure, usage };
    const [first] = batch.value;
    const isSuspected = (response: PlatformResult<unknown>): boolean =>
      !response.ok && mayBeTheToken(response.failure, 'campaign');
    if (first?.ok === false && batch.value.every(isSuspected))
      return { ok: false, failure: first.failure, usage };
    for (const [index, id] of chunk.entries()) {
      const response = batch.value[index];
      const one = response?.ok === true ? campaign.safeParse(response.value).data : undefined;
      if (one?.id === id) found.set(id, one);
      else if (response?.ok === false && response.failure.kind === 'gone') found.set(id, 'AWAY');
    }
  }
  return { ok: true, value: found, usage };
}

async function sendChanges(
  graph: GraphClient,
  token: string,
  changes: readonly WantedStatus[],
  sendBy: Instant,
): Promise<{ batch: BatchResponse; sentAt: Instant }> {
  if (changes.length > BATCH_MAX) throw new RangeError(`a batch carries at most ${BATCH_MAX} changes`);
  const operations = changes.map(
    ({ campaignId: id, status }) => ({ method: 'POST', relative_url: id, body: `status=${status}` }) as const,
  );
  const sentAt = graph.now();
  if (sentAt <= sendBy) return { batch: await sendBatch(graph, token, operations), sentAt };
  return { batch: { ok: false, failure: unasked('not sent: too late'), headers: {} }, sentAt };
}

function writeResult(response: PlatformResult<unknown> | undefined): WriteResult {
  if (response === undefined) return { ok: false, failure: unreadable('no response in the batch', true) };
  if (!response.ok)
    return response.failure.kind === 'rejected'
      ? { ...response, refusal: response.failure.saidToUser, isFinal: isFinalRefusal(response.failure) }
      : response;
  if (writeDone.safeParse(response.value).success) return { ok: true };
  return { ok: false, failure: unusable('a response that does not say success') };
}

/** Drops items that cannot be parsed: no information rather than wrong information. */
function listOf<T>(schema: z.ZodType<T>, { response, items, isPartial }: Pages): ListResult<T> {
  if (!response.ok) return { ok: false, failure: response.failure };
  return { ok: true, value: items.flatMap((item) => schema.safeParse(item).data ?? []), isPartial };
}
