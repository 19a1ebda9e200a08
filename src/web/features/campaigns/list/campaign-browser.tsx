import { useCallbackRef, useSelection } from '@mantine/hooks';
import { useDeferredValue, useMemo } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { showsSmartPauseActive } from './campaign-view.ts';
import { usePlatformStatus, useUserStatus } from '../status/api.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import { focusList } from '../../lib/focus-list.ts';
import { useOpenWhy } from '../activity/why-address.ts';
import { useSearchText } from '../../lib/use-search-text.ts';
import type { AllowedActions } from './bulk/actions.ts';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { questionBefore } from './bulk/copy.ts';
import { useQuestion, useSituation } from './bulk/question-dialog.tsx';
import type { Filters, Sort } from './list-address.ts';
import { isFiltered, NO_FILTERS } from './list-address.ts';
import type { CampaignRowProps } from './list/campaign-row.tsx';
import { CampaignRow } from './list/campaign-row.tsx';
import { CampaignTable } from './list/campaign-table.tsx';
import { NothingFound } from './list/empty-lists.tsx';
import { findCampaigns } from './list/find-campaigns.ts';
import { ListTools } from './list/list-tools.tsx';
import { sortCampaigns } from './list/sort-campaigns.ts';
import { useStableOrder } from './list/use-stable-order.ts';
import { useFilters } from './use-list-address.ts';

/** Fewer campaigns than this need no search. */
const FEW = 8;

export interface CampaignBrowserProps {
  account: AdAccount;
  campaigns: readonly Campaign[];
  allowed: AllowedActions;
}

/** An account's campaigns: search, sort, select, and turn SmartPause on or off in bulk. */
export function CampaignBrowser({ account, campaigns, allowed }: CampaignBrowserProps) {
  const { filters, sort, change } = useFilters(account.id);
  const [text, setText] = useSearchText(filters.q, (q) => change({ q }, { replace: true, flushSync: true }));
  const shown = useShown(campaigns, sort, { ...filters, q: useDeferredValue(text) });
  const selection = useSelected(campaigns, shown.campaigns);
  const { rowProps, dialog } = useRowProps({ account, allowed, onTick: selection.toggle });

  const onSort = (next: Sort) => change({ sort: next }, { replace: true });
  const searched = { ...filters, q: text };
  return (
    <>
      {(campaigns.length >= FEW || isFiltered(searched)) && (
        <ListTools {...{ filters, sort, text, onSort }} onText={setText} onFilter={change} />
      )}
      <div {...shown.listProps}>
        <CampaignTable
          name={account.name}
          campaigns={shown.campaigns}
          total={campaigns.length}
          selected={selection.ofShown}
          isSelectable={allowed !== 'none'}
          {...{ sort, onSort }}
          onTickAll={selection.tickAll}
          row={(campaign) => (
            <CampaignRow
              key={campaign.id}
              {...rowProps(campaign)}
              selected={selection.has(campaign.id)}
              toggleSize={campaigns.length === 1 ? 'lg' : 'md'}
            />
          )}
        />
      </div>
      {shown.campaigns.length === 0 && (
        <NothingFound
          filters={searched}
          onClear={() => {
            setText('');
            change(NO_FILTERS);
            focusList();
          }}
        />
      )}
      <BulkBar
        {...{ account, allowed }}
        selected={selection.selected}
        hidden={selection.selected.length - selection.ofShown}
        onClear={() => {
          selection.clear();
          focusList();
        }}
      />
      {dialog}
    </>
  );
}

/** The selection survives filter changes; campaigns that leave the account drop out. */
function useSelected(campaigns: readonly Campaign[], shown: readonly Campaign[]) {
  const [ids, { toggle, setSelection, resetSelection }] = useSelection<string>({ data: [] });
  const set = new Set(ids);
  const shownIds = new Set(shown.map(({ id }) => id));
  return {
    has: (id: string) => set.has(id),
    selected: campaigns.filter(({ id }) => set.has(id)),
    ofShown: shown.filter(({ id }) => set.has(id)).length,
    toggle,
    tickAll: (isTicked: boolean) =>
      setSelection([...ids.filter((id) => !shownIds.has(id)), ...(isTicked ? shownIds : [])]),
    clear: resetSelection,
  };
}

/** The campaigns that pass the filters, sorted. No row moves under the pointer (UX-04). */
function useShown(campaigns: readonly Campaign[], sort: Sort, { q, status, smartpause }: Filters) {
  const wanted = useMemo(() => {
    const found = findCampaigns(sortCampaigns(campaigns, sort), { q, status, smartpause });
    return { key: `${sort} ${status} ${smartpause} ${q}`, ids: found.map(({ id }) => id) };
  }, [campaigns, sort, q, status, smartpause]);
  const { ids, listProps } = useStableOrder(wanted);
  const shown = useMemo(() => {
    const byId = new Map(campaigns.map((one) => [one.id, one]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }, [campaigns, ids]);
  return { campaigns: shown, listProps };
}

type RowContext = Pick<CampaignRowProps, 'account' | 'allowed' | 'onTick'>;

function useRowProps(context: RowContext) {
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const openWhy = useOpenWhy();
  const onWhy = useHasCapability('activity') ? openWhy : null;
  const { ask, dialog } = useQuestion();
  const situationOf = useSituation();
  const onAsk = useCallbackRef<CampaignRowProps['onAsk']>((action, target, onConfirm) =>
    ask(questionBefore(action, [target], situationOf([target])), onConfirm),
  );
  const rowProps = (campaign: Campaign) => ({
    ...context,
    campaign,
    smartPauseActive: showsSmartPauseActive(campaign, status, user),
    onAsk,
    onWhy,
  });
  return { rowProps, dialog };
}
