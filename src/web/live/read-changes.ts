import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Change } from '#contract/changes.ts';
import { seconds } from '#core/time.ts';
import { keys } from '../queries.ts';
import { keepStream } from './stream.ts';

/** Fifty campaigns that are paused together are one reading, or two. */
const TOGETHER_MS = 80;
/** Statistics are dear, and nobody counts along. */
const FOR_ADMINS_MS = seconds(1);

/** Everything shown is read again when the server says that it has changed. */
export function readChanges(client: QueryClient): void {
  const waiting = new Set<string>();

  const readAll = (): void => {
    // What asks the payment provider goes on at its own pace.
    const isOurs = ({ queryKey }: { queryKey: QueryKey }) => queryKey[0] !== keys.activation[0];
    void client.invalidateQueries({ predicate: isOurs });
  };

  const readSoon = (queryKey: QueryKey, afterMs: number): void => {
    const name = JSON.stringify(queryKey);
    if (waiting.has(name)) return;
    waiting.add(name);
    setTimeout(() => {
      waiting.delete(name);
      if (queryKey.length === 0) readAll();
      else void client.invalidateQueries({ queryKey });
    }, afterMs);
  };

  keepStream({
    onOpen: readAll,
    onChange: (change) => {
      const atMost = change.what === 'activity' ? FOR_ADMINS_MS : TOGETHER_MS;
      const afterMs = atMost + Math.random() * (change.withinMs ?? 0);
      for (const queryKey of changedBy(change)) readSoon(queryKey, afterMs);
    },
  });
}

/** What has to be read again; an empty key stands for everything. */
export function changedBy({ what, adAccountId }: Change): readonly QueryKey[] {
  switch (what) {
    case 'everything':
      return [[]];
    case 'status':
      return [keys.status, keys.userStatus, keys.adminStatus];
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
      return [keys.adminStats, keys.adminActivity];
  }
}
