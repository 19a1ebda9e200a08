import type { GraphAnswer } from '../errors.ts';
import { graphError } from '../errors.ts';
import type { Place } from '../paging.ts';
import { pageOf } from '../paging.ts';
import type { Params, Readers } from '../shape.ts';
import { shapeFor } from '../shape.ts';
import type { Account, ActivityEntry, GraphState } from './state.ts';

const ACTIVITY_READERS: Readers<ActivityEntry> = {
  event_type: (entry) => entry.event_type,
  event_time: (entry) => new Date(entry.event_time).toISOString().replace(/\.\d+Z$/, '+0000'),
  application_id: (entry) => entry.application_id,
  object_id: (entry) => entry.object_id,
  extra_data: (entry) => entry.extra_data,
};

/** Changes in an account, newest first: by this app, by another one, or in Ads Manager. */
export function listActivities(
  state: GraphState,
  account: Account,
  params: Params,
  place: Place,
): GraphAnswer {
  const since = Number(params.get('since') ?? 0) * 1000;
  if (Number.isNaN(since))
    return graphError({ code: 100, message: '(#100) Param since must be a valid timestamp' });
  const onlyStatus = params.get('category') === 'STATUS';
  return pageOf(
    state.activities.toReversed(),
    { params, place },
    shapeFor(params, ACTIVITY_READERS, 'AdActivity'),
    (entry) =>
      entry.account === account.id &&
      Math.floor(entry.event_time / 1000) * 1000 >= since &&
      (!onlyStatus || entry.event_type === 'update_campaign_run_status'),
  );
}
