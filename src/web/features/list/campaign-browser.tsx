import { Button, Group, NativeSelect } from '@mantine/core';
import { useCallbackRef, useSelection } from '@mantine/hooks';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import { SearchBox } from '../../components/search-box.tsx';
import { focusList } from '../../lib/focus-list.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { useWhy } from '../activity/use-why.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import type { AccountList } from '../campaigns/api.ts';
import { isMatched, showsSmartPauseActive } from '../campaigns/campaign-view.ts';
import type { Filter } from '../campaigns/filters.ts';
import { FILTERS, findCampaigns } from '../campaigns/filters.ts';
import type { ListAddress } from '../campaigns/list-address.ts';
import { useListAddress } from '../campaigns/list-address.ts';
import { resumesCopy } from '../campaigns/paused-copy.ts';
import { useUnable } from '../campaigns/use-unable.ts';
import { useChanges } from '../changes/change-provider.tsx';
import { usePlatformLevel, useUserStatus } from '../status/api.ts';
import { BulkBar } from './bulk-bar.tsx';
import { CampaignRow } from './campaign-row.tsx';
import { CampaignTable } from './campaign-table.tsx';
import classes from './list.module.css';
import { EmptyList } from './notices.tsx';
import { createSorter } from './order.ts';
import { RowMenu } from './row-menu.tsx';
import type { CampaignRowProps } from './row-props.ts';
import { useStableOrder } from './use-stable-order.ts';

/** Fewer campaigns than this need no search. */
const FEW = 8;
const AFTER_ROWS = 'after-campaigns';

interface CampaignBrowserProps {
  name: string;
  /** Of several ad accounts, of which some may not be loaded. */
  isSeveral: boolean;
  lists: readonly AccountList[];
}

/** The campaigns of one or several ad accounts: search, sort, select, and turn SmartPause on or off in bulk. */
export const CampaignBrowser = memo(function CampaignBrowser(props: CampaignBrowserProps) {
  const { name, isSeveral, lists } = props;
  const [{ filter, sort }, onChange] = useListAddress();
  const [text, setText] = useState('');
  const merged = useMerged(lists);
  const { campaigns, accountOf, isBehind } = merged;
  const search = useDeferredValue(text.trim());
  const shown = useShown(merged, { filter, sort }, search);
  const { selected, isSelected, isAllSelected, ...selection } = useSelected(campaigns, shown);
  const rowProps = useRowProps({ accountOf, showsAccount: isSeveral, isBehind });
  const [menuOf, setMenuOf] = useState<string | null>(null);
  const leave = (change: () => void) => () => {
    change();
    focusList();
  };
  return (
    <>
      <Chips campaigns={campaigns} filter={filter} onFilter={(next) => onChange({ filter: next })} />
      {(campaigns.length >= FEW || text !== '' || !CHIPS.includes(filter)) && (
        <ListTools {...{ filter, text }} onFilter={(next) => onChange({ filter: next })} onText={setText} />
      )}
      <CampaignTable
        name={name}
        showsAccount={isSeveral}
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
            onMenu={setMenuOf}
          />
        )}
      />
      <div id={AFTER_ROWS} tabIndex={-1} />
      <RowMenu row={shown.filter(({ id }) => id === menuOf).map(rowProps)[0]} />
      {shown.length === 0 && (
        <NothingFound
          filter={filter}
          text={search}
          onClear={leave(() => {
            setText('');
            onChange({ filter: 'all' });
          })}
        />
      )}
      <BulkBar
        selected={selected.map((campaign) => ({ account: accountOf(campaign), campaign }))}
        hidden={selected.length - shown.filter(isSelected).length}
        onClear={leave(selection.clear)}
      />
    </>
  );
});

/** A campaign is in one ad account. Rows of a new list are drawn in pieces, between which the page responds. */
function useMerged(newest: readonly AccountList[]) {
  const lists = useDeferredValue(newest);
  const merged = useMemo(() => {
    const campaigns = lists.flatMap((list) => list.campaigns);
    const accounts = new Map(
      lists.flatMap((list) => list.campaigns.map(({ id }) => [id, list.account] as const)),
    );
    const [first] = lists;
    const accountOf = ({ id }: Campaign): AdAccount =>
      accounts.get(id) ?? first?.account ?? { id: '', name: '' };
    return { campaigns, accountOf, lists: lists.length };
  }, [lists]);
  return { ...merged, isBehind: lists !== newest };
}

/** In an outage: what was paused, and what was not. */
const CHIPS: readonly Filter[] = ['all', 'held', 'unprotected'];

/** Short enough for a phone, below the list's headline. */
const CHIP_WORDS: Partial<Record<Filter, string>> = { all: 'All', unprotected: 'Not protected' };

interface ChipsProps {
  campaigns: readonly Campaign[];
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

/** The filters that matter while SmartPause has paused campaigns, with their counts. */
function Chips({ campaigns, filter, onFilter }: ChipsProps) {
  const counts = useMemo(
    () => CHIPS.map((one) => [one, campaigns.filter(FILTERS[one].passes).length] as const),
    [campaigns],
  );
  const hasHeld = counts.some(([one, count]) => one === 'held' && count > 0);
  if (!hasHeld && (filter === 'all' || !CHIPS.includes(filter))) return null;
  return (
    <Group className={classes.chips ?? ''} gap={4} role="group" aria-label="Shown campaigns">
      {counts.map(
        ([one, count]) =>
          (count > 0 || one === filter) && (
            <Button
              key={one}
              size="compact-sm"
              variant={one === filter ? 'light' : 'subtle'}
              color={one === filter ? 'accent' : 'gray'}
              aria-pressed={one === filter}
              px={8}
              fz={13}
              onClick={() => onFilter(one)}
            >
              {CHIP_WORDS[one] ?? FILTERS[one].label} {figure(count)}
            </Button>
          ),
      )}
    </Group>
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
    <>
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
      <a
        href={`#${AFTER_ROWS}`}
        className="skip"
        onClick={(event) => {
          // Without a step in the history.
          event.preventDefault();
          document.getElementById(AFTER_ROWS)?.focus();
        }}
      >
        Skip the list
      </a>
    </>
  );
}

/** The campaigns that pass the filter, sorted. No row moves under the pointer (UX-04). */
function useShown(
  { campaigns, accountOf, lists }: ReturnType<typeof useMerged>,
  { sort, filter }: Pick<ListAddress, 'sort' | 'filter'>,
  text: string,
) {
  const [sortAgain] = useState(createSorter);
  const sorted = useMemo(
    () => sortAgain(campaigns, sort, (one) => accountOf(one).name),
    [sortAgain, campaigns, accountOf, sort],
  );
  const wanted = useMemo(() => {
    const ids = findCampaigns(sorted, filter, text).map(({ id }) => id);
    return { key: `${sort} ${filter} ${text}`, ids, lists };
  }, [sorted, sort, filter, text, lists]);
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

interface RowFacts {
  accountOf: (campaign: Campaign) => AdAccount;
  showsAccount: boolean;
  /** The rows are not yet those of the newest list. */
  isBehind: boolean;
}

function useRowProps({ accountOf, showsAccount, isBehind }: RowFacts) {
  const status = usePlatformLevel();
  const { data: user } = useUserStatus();
  const [, showWhy] = useWhy();
  const hasActivity = useHasCapability('activity');
  const hasResumeNow = useHasCapability('campaign_changes');
  const isAble = useUnable() === null;
  const onWhy = useCallbackRef(showWhy);
  const { allowed, change, pending } = useChanges();
  // A change ends for its row when the list that has its result is drawn.
  const last = useDeferredValue(pending);
  const currentOf = ({ id }: Campaign) => pending.get(id) ?? (isBehind ? last.get(id) : null) ?? null;
  const onChange = useCallbackRef<CampaignRowProps['onChange']>((action, campaign) =>
    change({ action, targets: [{ account: accountOf(campaign), campaign }], isOfRow: true }),
  );
  return (campaign: Campaign) => ({
    ...{ campaign, showsAccount, hasResumeNow, allowed, onChange, isAble },
    resumes: resumesCopy(user, accountOf(campaign).id, serverNow()),
    isMatched: isMatched(status, user),
    account: accountOf(campaign),
    current: currentOf(campaign),
    smartPauseActive: showsSmartPauseActive(campaign, status, user),
    onWhy: hasActivity ? onWhy : null,
  });
}

/** No campaign passes search and filter. */
function NothingFound({ filter, text, onClear }: { filter: Filter; text: string; onClear: () => void }) {
  const [title, clear] =
    filter === 'all'
      ? [`No campaign matches “${text}”`, 'Clear search']
      : filter === 'held' && text === ''
        ? ['No campaign here is paused by SmartPause', 'Show all campaigns']
        : ['No campaign matches your search and filter', 'Clear search and filter'];
  return (
    <EmptyList title={title}>
      <Button variant="default" onClick={onClear}>
        {clear}
      </Button>
    </EmptyList>
  );
}
