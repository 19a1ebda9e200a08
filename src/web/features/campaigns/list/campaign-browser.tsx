import { Button } from '@mantine/core';
import { useCallbackRef, useSelection } from '@mantine/hooks';
import { useDeferredValue, useMemo, useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { focusList } from '../../../lib/focus-list.ts';
import { useWhy } from '../../activity/why.tsx';
import { useHasCapability } from '../../auth/auth-provider.tsx';
import { usePlatformStatus, useUserStatus } from '../../status/api.ts';
import { showsSmartPauseActive } from '../campaign-view.ts';
import type { Action } from '../changes/actions.ts';
import { useChanges } from '../changes/change-provider.tsx';
import type { ListAddress } from '../list-address.ts';
import { NO_FILTERS, useListAddress } from '../list-address.ts';
import { EmptyList } from '../notices.tsx';
import { BulkBar } from './bulk-bar.tsx';
import type { CampaignRowProps } from './campaign-row.tsx';
import { CampaignRow } from './campaign-row.tsx';
import { CampaignTable } from './campaign-table.tsx';
import { ListTools } from './list-tools.tsx';
import { findCampaigns, sortCampaigns } from './order.ts';
import { useStableOrder } from './use-stable-order.ts';

/** Fewer campaigns than this need no search. */
const FEW = 8;

interface CampaignBrowserProps {
  account: AdAccount;
  campaigns: readonly Campaign[];
  allowed: readonly Action[];
}

/** An account's campaigns: search, sort, select, and turn SmartPause on or off in bulk. */
export function CampaignBrowser({ account, campaigns, allowed }: CampaignBrowserProps) {
  const [list, changeList] = useListAddress();
  // With the account the address can be shared.
  const onChange = (change: Partial<ListAddress>) => changeList({ account: account.id, ...change });
  const [text, setText] = useState('');
  const shown = useShown(campaigns, list, useDeferredValue(text.trim()));
  const { selected, hidden, isSelected, ticks, toggle, clear } = useSelected(campaigns, shown);
  const rowProps = useRowProps(account);
  const isFiltered = text !== '' || list.status !== 'all' || list.smartpause !== 'all';
  return (
    <>
      {(campaigns.length >= FEW || isFiltered) && (
        <ListTools {...{ list, text, onChange }} onText={setText} />
      )}
      <CampaignTable
        name={account.name}
        campaigns={shown}
        total={campaigns.length}
        {...ticks}
        isSelectable={allowed.length > 0}
        sort={list.sort}
        onSort={(sort) => onChange({ sort })}
        row={(campaign) => (
          <CampaignRow
            key={campaign.id}
            {...rowProps(campaign)}
            {...{ account, allowed }}
            selected={isSelected(campaign)}
            onTick={toggle}
            toggleSize={campaigns.length === 1 ? 'lg' : 'md'}
          />
        )}
      />
      {shown.length === 0 && (
        <NothingFound
          isOnlyPaused={text === '' && list.status === 'all' && list.smartpause === 'paused'}
          onClear={() => {
            setText('');
            onChange(NO_FILTERS);
            focusList();
          }}
        />
      )}
      <BulkBar
        {...{ account, allowed, selected, hidden }}
        onClear={() => {
          clear();
          focusList();
        }}
      />
    </>
  );
}

/** The campaigns that pass the filters, sorted. No row moves under the pointer (UX-04). */
function useShown(campaigns: readonly Campaign[], { sort, status, smartpause }: ListAddress, text: string) {
  const wanted = useMemo(() => {
    const found = findCampaigns(sortCampaigns(campaigns, sort), { status, smartpause }, text);
    return { key: `${sort} ${status} ${smartpause} ${text}`, ids: found.map(({ id }) => id) };
  }, [campaigns, sort, status, smartpause, text]);
  const ids = useStableOrder(wanted);
  return useMemo(() => {
    const byId = new Map(campaigns.map((one) => [one.id, one]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }, [campaigns, ids]);
}

/** The selection survives filter changes. */
function useSelected(campaigns: readonly Campaign[], shown: readonly Campaign[]) {
  const shownIds = shown.map(({ id }) => id);
  const [ids, selection] = useSelection({ data: shownIds });
  const selectedIds = new Set(ids);
  const isSelected = ({ id }: Campaign) => selectedIds.has(id);
  const selected = campaigns.filter(isSelected);
  const isTicked = selection.isAllSelected();
  const onTickAll = () => {
    const inView = new Set(shownIds);
    selection.setSelection(isTicked ? ids.filter((id) => !inView.has(id)) : [...selectedIds, ...shownIds]);
  };
  return {
    ...{ selected, isSelected, toggle: selection.toggle, clear: selection.resetSelection },
    hidden: selected.length - shown.filter(isSelected).length,
    ticks: { isTicked, isPartly: !isTicked && selection.isSomeSelected(), onTickAll },
  };
}

function useRowProps(account: AdAccount) {
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const [, showWhy] = useWhy();
  const hasActivity = useHasCapability('activity');
  const onWhy = useCallbackRef(showWhy);
  const { change, pending } = useChanges();
  const onChange = useCallbackRef<CampaignRowProps['onChange']>((action, campaign) =>
    change({ action, targets: [{ account, campaign }], isOfRow: true }),
  );
  return (campaign: Campaign) => ({
    campaign,
    current: pending.get(campaign.id) ?? null,
    smartPauseActive: showsSmartPauseActive(campaign, status, user),
    onChange,
    onWhy: hasActivity ? onWhy : null,
  });
}

/** No campaign passes the filters. */
function NothingFound({ isOnlyPaused, onClear }: { isOnlyPaused: boolean; onClear: () => void }) {
  const [title, clear] = isOnlyPaused
    ? ['No campaign of this account is paused by SmartPause', 'Show all campaigns']
    : ['No campaign matches your search and filters', 'Clear filters'];
  return (
    <EmptyList title={title}>
      <Button variant="default" onClick={onClear}>
        {clear}
      </Button>
    </EmptyList>
  );
}
