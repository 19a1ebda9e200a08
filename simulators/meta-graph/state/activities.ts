import type { GraphAnswer } from '../errors.ts';
import { graphError } from '../errors.ts';
import { ACTIVITY_FIELDS } from '../fields.ts';
import type { Place } from '../paging.ts';
import { pageOf } from '../paging.ts';
import type { Params } from '../params.ts';
import { fieldsOf, refuseUnknownField } from '../params.ts';
import { platformTime, readMoment } from './platform-time.ts';
import type { Account, ActivityEntry, GraphState } from './state.ts';

const DEFAULT_FIELDS = [
  'event_time',
  'event_type',
  'translated_event_type',
  'actor_id',
  'actor_name',
  'object_id',
  'object_name',
  'extra_data',
];
const CATEGORIES: Record<string, (entry: ActivityEntry) => boolean> = {
  CAMPAIGN: () => true,
  STATUS: (entry) => entry.event_type === 'update_campaign_run_status',
  BUDGET: (entry) => entry.event_type === 'update_campaign_budget',
};

/** Who changed what in an account, newest first: through this app, another one, or by hand. */
export function listActivities(
  state: GraphState,
  account: Account,
  params: Params,
  place: Place,
): GraphAnswer {
  const asked = fieldsOf(params);
  const refused = refuseUnknownField(asked, ACTIVITY_FIELDS, 'AdActivity');
  if (refused !== null) return refused;
  const [since, until] = ['since', 'until'].map((name) => {
    const text = params.get(name);
    return text === undefined ? null : readMoment(text);
  });
  if (since === undefined || until === undefined) {
    return graphError({ code: 100, message: '(#100) Param since and until must be a valid timestamp' });
  }
  const category = params.get('category');
  const oid = params.get('oid');
  const numbered = state.activities.map((entry, index) => ({ entry, id: String(index) })).toReversed();
  return pageOf(numbered, params, place, {
    idOf: ({ id }) => id,
    isShown: ({ entry }) =>
      entry.account === account.id &&
      Math.floor(entry.event_time / 1000) * 1000 >= (since ?? 0) &&
      entry.event_time <= (until ?? Number.POSITIVE_INFINITY) &&
      (oid === undefined || oid === entry.object_id) &&
      (category === undefined || (CATEGORIES[category]?.(entry) ?? false)),
    shape: ({ entry }) => shape(entry, account, asked.length === 0 ? DEFAULT_FIELDS : asked),
  });
}

function shape(entry: ActivityEntry, account: Account, fields: readonly string[]): Record<string, unknown> {
  const all: Record<string, unknown> = {
    ...entry,
    event_time: platformTime(entry.event_time, 'UTC'),
    date_time_in_timezone: platformTime(entry.event_time, account.timezone_name),
    object_type: 'CAMPAIGN',
  };
  return Object.fromEntries(fields.map((field) => [field, all[field]]));
}
