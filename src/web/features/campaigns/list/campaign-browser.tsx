import { useCallbackRef, useSelection } from '@mantine/hooks';
import { useDeferredValue, useMemo } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { focusList } from '../../../lib/focus-list.ts';
import { useSearchText } from '../../../lib/use-search-text.ts';
import { useOpenWhy } from '../../activity/why-address.ts';
import { useHasCapability } from '../../auth/auth-provider.tsx';
import { usePlatformStatus, useUserStatus } from '../../status/api.ts';
import type { AllowedActions } from '../bulk/actions.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { useAsk } from '../bulk/question-dialog.tsx';
import { questionBefore } from '../bulk/questions.ts';
import { useBulkChange } from '../bulk/use-bulk-change.tsx';
import { showsSmartPauseActive } from '../campaign-view.ts';
import type { Filters, Sort } from '../list-address.ts';
import { NO_FILTERS, isFiltered, useFilters } from '../list-address.ts';
import type { CampaignRowProps } from './campaign-row.tsx';
import { CampaignRow } from './campaign-row.tsx';
import { CampaignTable } from './campaign-table.tsx';
import { NothingFound } from './empty-lists.tsx';
import { ListTools } from './list-tools.tsx';
import { findCampaigns, sortCampaigns } from './order.ts';
import { useStableOrder } from './use-stable-order.ts';

/** Fewer campaigns than this need no search. */
const FEW = 8;

interface CampaignBrowserProps {
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
  const rowProps = useRowProps();

  const onSort = (next: Sort) => change({ sort: next }, { replace: true });
  const searched = { ...filters, q: text };
  const onClearFilters = () => {
    setText('');
    change(NO_FILTERS);
    focusList();
  };
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
              {...{ account, allowed }}
              selected={selection.has(campaign.id)}
              onTick={selection.toggle}
              toggleSize={campaigns.length === 1 ? 'lg' : 'md'}
            />
          )}
        />
      </div>
      {shown.campaigns.length === 0 && <NothingFound filters={searched} onClear={onClearFilters} />}
      <BulkBar
        {...{ account, allowed }}
        selected={selection.selected}
        hidden={selection.selected.length - selection.ofShown}
        onClear={() => {
          selection.clear();
          focusList();
        }}
      />
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

function useRowProps() {
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const openWhy = useOpenWhy();
  const onWhy = useHasCapability('activity') ? openWhy : null;
  const ask = useAsk();
  const startBulk = useBulkChange();
  const onTurn = useCallbackRef<CampaignRowProps['onTurn']>((action, target, turn) =>
    ask(questionBefore(action, [target], { status, user }), (resumes) =>
      resumes ? startBulk({ action, targets: [{ ...target, resumes }] }) : turn(),
    ),
  );
  return (campaign: Campaign) => ({
    campaign,
    smartPauseActive: showsSmartPauseActive(campaign, status, user),
    onTurn,
    onWhy,
  });
}
