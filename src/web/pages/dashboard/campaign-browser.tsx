import { Button, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ComponentProps } from 'react';
import { Suspense, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { showsSmartPauseActive } from '../../text/campaign-view.ts';
import { usePlatformStatus, useUserStatus } from '../../api/queries.ts';
import { useHasBulkRun } from './bulk/state.ts';
import type { Acts } from './list/campaign-row.tsx';
import classes from './dashboard.module.css';
import { findCampaigns } from './list/find-campaigns.ts';
import type { Filters } from './list-address.ts';
import { isNarrowed, NO_FILTERS } from './list-address.ts';
import { ListHead } from './list/list-head.tsx';
import type { Opened } from './list/list-order.ts';
import { asOpened, inOrder } from './list/list-order.ts';
import { Rows } from './list/rows.tsx';
import type { Ticked } from './list/selection.ts';
import { NOTHING_SELECTED, afterTick, afterTickAll } from './list/selection.ts';
import { useFilters } from './use-list-address.ts';
import { useSearchText } from '../../hooks/use-search-text.ts';
import { lazyPart } from '../../browser/lazy-part.ts';

const ListTools = lazyPart(async () => (await import('./list/list-tools.tsx')).ListTools);
const BulkBar = lazyPart(async () => (await import('./bulk/bulk-bar.tsx')).BulkBar);

/** So few are seen at a glance. */
const FEW = 8;

/** As in dashboard.module.css. */
const NARROW = '(max-width: 48em)';

export interface CampaignBrowserProps {
  account: AdAccount;
  campaigns: readonly Campaign[];
  acts: Acts;
}

/** An account's campaigns: to look for some, to select some, and to turn SmartPause on or off for all of those. */
export function CampaignBrowser({ account, campaigns, acts }: CampaignBrowserProps) {
  const status = usePlatformStatus();
  const { data: person } = useUserStatus();
  const { filters, change } = useFilters(account.id);
  const [text, setText] = useSearchText(filters.q, (q) => change({ q }, { replace: true, flushSync: true }));
  const head = useRef<HTMLDivElement>(null);

  const shown = useShown(account, campaigns, { ...filters, q: useDeferredValue(text) });
  const selection = useSelection(campaigns, shown);
  const hasRun = useHasBulkRun();
  const toggleSize = useToggleSize(campaigns.length);

  const goToHead = () => (head.current?.querySelector('input') ?? head.current)?.focus();
  const clearFilters = () => {
    setText('');
    change(NO_FILTERS);
    goToHead();
  };
  const onClear = () => {
    selection.clear();
    goToHead();
  };
  return (
    <>
      {(campaigns.length >= FEW || isNarrowed({ ...filters, q: text })) && (
        <Tools filters={filters} text={text} onText={setText} onFilter={change} />
      )}
      <ListHead
        shown={shown.length}
        total={campaigns.length}
        selected={acts === 'none' ? null : selection.ofShown}
        ref={head}
        onTickAll={selection.tickAll}
      />
      {shown.length === 0 && <NothingFound onClear={clearFilters} />}
      {shown.length > 0 && (
        <Rows
          campaigns={shown}
          propsOf={(campaign) => ({
            account,
            campaign,
            acts,
            smartPauseActive: showsSmartPauseActive(campaign, status, person),
            selected: selection.ids.has(campaign.id),
            toggleSize,
            onTick: selection.tick,
          })}
        />
      )}
      {(hasRun || selection.selected.length > 0) && (
        <Suspense>
          <BulkBar {...{ account, acts, shown, onClear }} selected={selection.selected} onLeave={goToHead} />
        </Suspense>
      )}
    </>
  );
}

function useToggleSize(campaigns: number): 'sm' | 'md' | 'lg' {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  if (campaigns === 1) return 'lg';
  return isNarrow ? 'sm' : 'md';
}

/** Keeps its height while the search and the filters are loaded. */
function Tools(props: ComponentProps<typeof ListTools>) {
  return (
    <div className={classes.tools}>
      <Suspense>
        <ListTools {...props} />
      </Suspense>
    </div>
  );
}

/** What the filters leave, in the order of the moment the account was opened. */
function useShown(account: AdAccount, campaigns: readonly Campaign[], filters: Filters) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const openedNow = asOpened(account.id, campaigns, opened);
  if (openedNow !== opened) setOpened(openedNow);
  const ordered = useMemo(() => inOrder(campaigns, openedNow), [campaigns, openedNow]);
  const { q, status, smartpause } = filters;
  return useMemo(() => findCampaigns(ordered, { q, status, smartpause }), [ordered, q, status, smartpause]);
}

/** It stays when the filters change, and loses what is no longer in the account. */
function useSelection(campaigns: readonly Campaign[], shown: readonly Campaign[]) {
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const { ids } = selection;
  const seen = useRef(shown);
  useLayoutEffect(() => {
    seen.current = shown;
  }, [shown]);
  const [tick] = useState(() => (ticked: Ticked) => {
    const order = seen.current.map(({ id }) => id);
    setSelection((before) => afterTick(before, ticked, order));
  });
  const selected = useMemo(
    () => (ids.size === 0 ? [] : campaigns.filter(({ id }) => ids.has(id))),
    [campaigns, ids],
  );
  const ofShown = useMemo(() => shown.filter(({ id }) => ids.has(id)).length, [shown, ids]);
  return {
    ids,
    selected,
    ofShown,
    tick,
    tickAll: (isTicked: boolean) => {
      const order = shown.map(({ id }) => id);
      setSelection((before) => afterTickAll(before, isTicked, order));
    },
    clear: () => setSelection(NOTHING_SELECTED),
  };
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <Stack align="center" gap="sm" px="lg" pt="lg" pb={56}>
      <Text c="dimmed">No campaign matches your search and filters</Text>
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </Stack>
  );
}
