import type { Campaign } from '#contract/shapes.ts';
import { byListOrder } from '#core/campaign.ts';

/** Settings as they were when the list was opened: a row does not jump away from whoever turns its switch. */
export interface Opened {
  accountId: string;
  settings: ReadonlyMap<string, Campaign['smartPauseSetting']>;
}

/** The same again, as long as it is the same account and nothing is new in it. */
export function asOpened(accountId: string, campaigns: readonly Campaign[], before: Opened | null): Opened {
  const known = before?.accountId === accountId ? before.settings : null;
  if (before !== null && known !== null && campaigns.every(({ id }) => known.has(id))) return before;
  const settings = new Map(campaigns.map((one) => [one.id, known?.get(one.id) ?? one.smartPauseSetting]));
  return { accountId, settings };
}

/** ACTIVE first at any time; SmartPause off before on as it was when the list was opened. */
export function inOrder(campaigns: readonly Campaign[], { settings }: Opened): readonly Campaign[] {
  const opened = campaigns.map((now) => {
    const smartPauseSetting = settings.get(now.id) ?? now.smartPauseSetting;
    return { now, then: { ...now, smartPauseSetting } };
  });
  return opened.toSorted((a, b) => byListOrder(a.then, b.then)).map(({ now }) => now);
}
