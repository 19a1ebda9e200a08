import { Button, NativeSelect } from '@mantine/core';
import { useCallbackRef, useSelection } from '@mantine/hooks';
import { useDeferredValue, useMemo, useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { SearchBox } from '../../../components/search-box.tsx';
import { focusList } from '../../../lib/focus-list.ts';
import { useWhy } from '../../activity/why.tsx';
import { useHasCapability } from '../../auth/auth-provider.tsx';
import { usePlatformStatus, useUserStatus } from '../../status/api.ts';
import { showsSmartPauseActive } from '../campaign-view.ts';
import { useChanges } from '../changes/change-provider.tsx';
import type { ListAddress } from '../list-address.ts';
import { useListAddress } from '../list-address.ts';
import { EmptyList } from '../notices.tsx';
import { BulkBar } from './bulk-bar.tsx';
import type { CampaignRowProps } from './campaign-row.tsx';
import { CampaignRow } from './campaign-row.tsx';
import { CampaignTable } from './campaign-table.tsx';
import type { Filter } from './filters.ts';
import { FILTERS, findCampaigns } from './filters.ts';
import classes from './list.module.css';
import { sortCampaigns } from './order.ts';
import { useStableOrder } from './use-stable-order.ts';

/** Fewer campaigns than this need no search. */
const FEW = 8;

interface CampaignBrowserProps {
  account: AdAccount;
  campaigns: readonly Campaign[];
}

/** An account's campaigns: search, sort, select, and turn SmartPause on or off in bulk. */
export function CampaignBrowser({ account, campaigns }: CampaignBrowserProps) {
  const [{ filter, sort }, onChange] = useListAddress();
  const [text, setText] = useState('');
  const shown = useShown(campaigns, { filter, sort }, useDeferredValue(text.trim()));
  const { selected, isSelected, isAllSelected, ...selection } = useSelected(campaigns, shown);
  const rowProps = useRowProps(account);
  const leave = (change: () => void) => () => {
    change();
    focusList();
  };
  return (
    <>
      {(campaigns.length >= FEW || text !== '' || filter !== 'all') && (
        <ListTools
          filter={filter}
          text={text}
          onFilter={(next) => onChange({ filter: next })}
          onText={setText}
        />
      )}
      <CampaignTable
        name={account.name}
        campaigns={shown}
        total={campaigns.length}
        isAllSelected={isAllSelected}
        onSelectAll={selection.toggleAll}
        sort={sort}
        onSort={(next) => onChange({ sort: next })}
        row={(campaign) => (
          <CampaignRow
            key={campaign.id}
            {...rowProps(campaign)}
            selected={isSelected(campaign)}
            onSelect={selection.toggle}
            toggleSize={campaigns.length === 1 ? 'lg' : 'md'}
          />
        )}
      />
      {shown.length === 0 && (
        <NothingFound
          isOnlyHeld={text === '' && filter === 'held'}
          onClear={leave(() => {
            setText('');
            onChange({ filter: 'all' });
          })}
        />
      )}
      <BulkBar
        account={account}
        selected={selected}
        hidden={selected.length - shown.filter(isSelected).length}
        onClear={leave(selection.clear)}
      />
    </>
  );
}

interface ListToolsProps {
  filter: Filter;
  /** The text in the search box; the list may lag behind it. */
  text: string;
  onFilter: (filter: Filter) => void;
  onText: (text: string) => void;
}

function ListTools({ filter, text, onFilter, onText }: ListToolsProps) {
  return (
    <search className={classes.tools}>
      {/* Links to the list reset it. */}
      <form onReset={() => onText('')} onSubmit={(event) => event.preventDefault()}>
        <SearchBox aria-label="Search campaigns" value={text} onText={onText} />
      </form>
      <NativeSelect
        aria-label="Filter"
        value={filter}
        data={Object.entries(FILTERS).map(([value, { label }]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => onFilter(value as Filter)}
      />
    </search>
  );
}

/** The campaigns that pass the filter, sorted. No row moves under the pointer (UX-04). */
function useShown(
  campaigns: readonly Campaign[],
  { sort, filter }: Pick<ListAddress, 'sort' | 'filter'>,
  text: string,
) {
  const sorted = useMemo(() => sortCampaigns(campaigns, sort), [campaigns, sort]);
  const wanted = useMemo(() => {
    const found = findCampaigns(sorted, filter, text);
    return { key: `${sort} ${filter} ${text}`, ids: found.map(({ id }) => id) };
  }, [sorted, sort, filter, text]);
  const ids = useStableOrder(wanted);
  return useMemo(() => {
    const byId = new Map(campaigns.map((one) => [one.id, one]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }, [campaigns, ids]);
}

/** The selection survives another filter. */
function useSelected(campaigns: readonly Campaign[], shown: readonly Campaign[]) {
  const shownIds = shown.map(({ id }) => id);
  const [ids, { toggle, resetSelection: clear, ...selection }] = useSelection({ data: shownIds });
  const selectedIds = new Set(ids);
  const isSelected = ({ id }: Campaign) => selectedIds.has(id);
  const isAllSelected = selection.isAllSelected();
  const toggleAll = () => {
    const inView = new Set(shownIds);
    const others = ids.filter((id) => !inView.has(id));
    selection.setSelection(isAllSelected ? others : [...others, ...shownIds]);
  };
  return { selected: campaigns.filter(isSelected), isSelected, isAllSelected, toggle, toggleAll, clear };
}

function useRowProps(account: AdAccount) {
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const [, showWhy] = useWhy();
  const hasActivity = useHasCapability('activity');
  const onWhy = useCallbackRef(showWhy);
  const { allowed, change, pending } = useChanges();
  const onChange = useCallbackRef<CampaignRowProps['onChange']>((action, campaign) =>
    change({ action, targets: [{ account, campaign }], isOfRow: true }),
  );
  return (campaign: Campaign) => ({
    ...{ account, campaign, allowed, onChange },
    current: pending.get(campaign.id) ?? null,
    smartPauseActive: showsSmartPauseActive(campaign, status, user),
    onWhy: hasActivity ? onWhy : null,
  });
}

/** No campaign passes search and filter. */
function NothingFound({ isOnlyHeld, onClear }: { isOnlyHeld: boolean; onClear: () => void }) {
  const [title, clear] = isOnlyHeld
    ? ['No campaign of this account is paused by SmartPause', 'Show all campaigns']
    : ['No campaign matches your search and filter', 'Clear search and filter'];
  return (
    <EmptyList title={title}>
      <Button variant="default" onClick={onClear}>
        {clear}
      </Button>
    </EmptyList>
  );
}
