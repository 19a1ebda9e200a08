import { z } from 'zod';
import { isLegacyAdvantage } from '#core/campaign.ts';
import type { PlatformAdAccount, PlatformCampaign } from '#core/platform.ts';
import type { StatusChange } from '#core/smartpause/hands.ts';
import type { LiveStatus } from '#core/smartpause/hold.ts';
import { BATCH_MAX } from '#core/platform-usage.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import { sendBatch } from './batch.ts';
import type { AccountAnswer, Answer, GraphClient } from './client.ts';
import { parseJson } from './client.ts';
import type { PlatformFailure } from './errors.ts';
import { unreadable } from './errors.ts';
import type { ReadingLimits } from './paging.ts';
import { readAllPages } from './paging.ts';
import { readUsage } from './usage.ts';

/** How one status change of a batch ended. */
export type WriteResult = { ok: true } | { ok: false; failure: PlatformFailure };

export interface AdPlatform {
  /** By how much the platform's clock is ahead of ours, in milliseconds, as far as its answers tell. */
  aheadMs(): number;
  listAdAccounts(token: string): Promise<Answer<PlatformAdAccount[]>>;
  /** Without deleted campaigns; archived ones only on request, since there may be thousands. */
  listCampaigns(
    token: string,
    accountId: string,
    options?: { withArchived: boolean },
  ): Promise<AccountAnswer<PlatformCampaign[]>>;
  /** Statuses by id; GONE where the platform says there is no such campaign, nothing where it could not say. */
  readStatuses(
    token: string,
    accountId: string,
    ids: readonly string[],
  ): Promise<AccountAnswer<Map<string, LiveStatus>>>;
  /** From the account's activity log, newest first: who changed the status of campaigns since then, all by its clock. */
  readStatusChanges(token: string, accountId: string, since: Instant): Promise<AccountAnswer<StatusChange[]>>;
  /** At most 50 changes in one call. Every change has its own result. */
  setStatuses(
    token: string,
    accountId: string,
    changes: readonly { campaignId: string; status: 'ACTIVE' | 'PAUSED' }[],
  ): Promise<{ results: Map<string, WriteResult>; usage: Usage | null }>;
}

const adAccount = z.object({
  id: z.string(),
  name: z.string().default(''),
  currency: z.string().default(''),
  account_status: z.number().int().default(1),
});
const amount = z
  .union([z.string().regex(/^\d+$/).transform(Number), z.number()])
  .nullish()
  .catch(null);
const campaign = z.object({
  id: z.string(),
  name: z.string().default(''),
  status: z.string(),
  objective: z.string().default(''),
  daily_budget: amount,
  smart_promotion_type: z.string().nullish().catch(null),
});
/** Without this filter Meta leaves out archived campaigns. */
const NOT_DELETED = [
  'ACTIVE',
  'PAUSED',
  'ARCHIVED',
  'IN_PROCESS',
  'WITH_ISSUES',
  'PENDING_REVIEW',
  'DISAPPROVED',
  'PREAPPROVED',
  'PENDING_BILLING_INFO',
  'CAMPAIGN_PAUSED',
  'ADSET_PAUSED',
];
const statusOnly = z.object({ id: z.string(), status: z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED']) });
const writeDone = z.union([z.object({ success: z.literal(true) }), z.object({ id: z.string() })]);

/** Of the platform's log; whatever else has changed is not asked for. */
const activity = z.object({
  event_type: z.literal('update_campaign_run_status'),
  event_time: z
    .string()
    .transform((text) => Date.parse(text))
    .pipe(z.number()),
  application_id: z.coerce.string(),
  object_id: z.coerce.string(),
  extra_data: z.string().catch('{}'),
});
const newStatus = z.object({
  new_value: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['ACTIVE', 'PAUSED'])),
});

/** @param appId ours, by which our own changes are known */
export function createAdPlatform(graph: GraphClient, appId: string, limits: ReadingLimits = {}): AdPlatform {
  return {
    aheadMs: () => graph.aheadMs(),

    async listAdAccounts(token) {
      const params = { fields: 'id,name,currency,account_status' };
      const call = { method: 'GET', path: 'me/adaccounts', params, token } as const;
      const { answer, items } = await readAllPages(graph, call, limits);
      if (!answer.ok) return answer;
      return {
        ok: true,
        value: understood(adAccount, items).map(({ account_status, ...account }) => ({
          ...account,
          accountStatus: account_status,
        })),
      };
    },

    async listCampaigns(token, accountId, { withArchived } = { withArchived: false }) {
      const fields = 'id,name,status,objective,daily_budget,smart_promotion_type';
      const params = { fields, ...(withArchived && { effective_status: JSON.stringify(NOT_DELETED) }) };
      const call = { method: 'GET', path: `${accountId}/campaigns`, params, token } as const;
      const { answer, items } = await readAllPages(graph, call, limits);
      const usage = readUsage(answer.headers, accountId, graph.now());
      if (!answer.ok) return { ...answer, usage };
      const value = understood(campaign, items).map(({ daily_budget, smart_promotion_type, ...one }) => ({
        ...one,
        dailyBudget: daily_budget ?? null,
        isLegacyAdvantage: isLegacyAdvantage(smart_promotion_type ?? null),
      }));
      return { ok: true, value, usage };
    },

    readStatuses: (...args) => readStatuses(graph, ...args),

    async readStatusChanges(token, accountId, since) {
      const fields = 'event_type,event_time,application_id,object_id,extra_data';
      const params = {
        fields,
        category: 'STATUS',
        since: String(Math.floor(since / 1000)),
      };
      const call = { method: 'GET', path: `${accountId}/activities`, params, token } as const;
      const { answer, items } = await readAllPages(graph, call);
      const usage = readUsage(answer.headers, accountId, graph.now());
      if (!answer.ok) return { ...answer, usage };
      const value = understood(activity, items).map((one) => ({
        campaignId: one.object_id,
        at: one.event_time,
        isOurs: one.application_id === appId,
        to: newStatus.safeParse(parseJson(one.extra_data)).data?.new_value ?? null,
      }));
      return { ok: true, value, usage };
    },

    setStatuses: (...args) => setStatuses(graph, ...args),
  };
}

async function readStatuses(
  graph: GraphClient,
  token: string,
  accountId: string,
  ids: readonly string[],
): ReturnType<AdPlatform['readStatuses']> {
  const found = new Map<string, LiveStatus>();
  let usage: Usage | null = null;
  for (let start = 0; start < ids.length; start += BATCH_MAX) {
    const chunk = ids.slice(start, start + BATCH_MAX);
    const operations = chunk.map(
      (id) => ({ method: 'GET', relative_url: `${id}?fields=id,status` }) as const,
    );
    const batch = await sendBatch(graph, token, operations);
    usage = readUsage(batch.headers, accountId, graph.now()) ?? usage;
    if (!batch.ok) return { ok: false, failure: batch.failure, usage };
    batch.answers.forEach((answer, index) => {
      const status = answer.ok
        ? statusOnly.safeParse(answer.value).data?.status
        : goneOrNothing(answer.failure);
      const id = chunk[index];
      if (status !== undefined && id !== undefined) found.set(id, status);
    });
  }
  return { ok: true, value: found, usage };
}

async function setStatuses(
  graph: GraphClient,
  token: string,
  accountId: string,
  changes: Parameters<AdPlatform['setStatuses']>[2],
): ReturnType<AdPlatform['setStatuses']> {
  if (changes.length > BATCH_MAX) throw new RangeError(`a batch carries at most ${BATCH_MAX} changes`);
  const operations = changes.map(
    ({ campaignId, status }) =>
      ({ method: 'POST', relative_url: campaignId, body: `status=${status}` }) as const,
  );
  const batch = await sendBatch(graph, token, operations);
  const results = new Map<string, WriteResult>();
  changes.forEach(({ campaignId }, index) => {
    if (!batch.ok) results.set(campaignId, { ok: false, failure: batch.failure });
    else results.set(campaignId, writeResult(batch.answers[index]));
  });
  return { results, usage: readUsage(batch.headers, accountId, graph.now()) };
}

function writeResult(answer: Answer<unknown> | undefined): WriteResult {
  if (answer === undefined) return { ok: false, failure: unreadable('no answer in the batch', true) };
  if (!answer.ok) return answer;
  if (writeDone.safeParse(answer.value).success) return { ok: true };
  return { ok: false, failure: unreadable('an answer that does not say success', true) };
}

function goneOrNothing(failure: PlatformFailure): 'GONE' | undefined {
  return failure.kind === 'gone' ? 'GONE' : undefined;
}

/** Items that cannot be understood are left out: no information, rather than wrong information. */
function understood<T>(schema: z.ZodType<T>, items: readonly unknown[]): T[] {
  return items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
