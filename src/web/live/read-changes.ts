import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Change } from '#contract/changes.ts';
import { seconds } from '#core/time.ts';
import { readBulkRun } from '../pages/dashboard/bulk/state.ts';
import { keys } from '../queries.ts';
import { createReadings } from './readings.ts';
import { keepStream } from './stream.ts';

/** Fifty campaigns that are paused together are one reading, or two. */
const TOGETHER_MS = 80;
/** Statistics are dear, and nobody counts along. */
const FOR_ADMINS_MS = seconds(1);

/** Everything shown is read again when the server says that it has changed. */
export function readChanges(client: QueryClient): void {
  const readings = createReadings(client, { isBusy: isChangedInBulk });
  let isFirst = true;
  keepStream((change) => {
    const { what, withinMs = 0 } = change;
    if (what === 'everything') {
      readings.readAll({ withinMs, isFirst });
      isFirst = false;
      return;
    }
    const atMost = what === 'activity' ? FOR_ADMINS_MS : TOGETHER_MS;
    const afterMs = atMost + Math.random() * withinMs;
    for (const queryKey of changedBy(change)) readings.readSoon(queryKey, afterMs);
  });
}

/** This page knows what it is doing itself, and reads the list when it is done. */
function isChangedInBulk([kind, accountId]: QueryKey): boolean {
  const run = readBulkRun();
  return kind === keys.allCampaigns[0] && run?.account.id === accountId && run?.state !== 'ended';
}

/** What has to be read again. */
function changedBy({ what, adAccountId }: Change): readonly QueryKey[] {
  switch (what) {
    case 'everything':
      return [];
    case 'status':
      return [keys.status, keys.userStatus, keys.adminStatus, keys.adminStatusHistory, keys.adminHeld];
    case 'campaigns':
      return [adAccountId === undefined ? keys.allCampaigns : keys.campaigns(adAccountId), keys.userStatus];
    case 'ad_accounts':
      return [keys.adAccounts];
    case 'person':
      return [keys.me, keys.userStatus];
    case 'subscription':
      return [keys.subscription];
    case 'sessions':
      return [keys.sessions];
    case 'activity':
      return [keys.adminStats, keys.adminActivity, keys.adminHeld, keys.adminStuck, keys.adminQueue];
  }
}
