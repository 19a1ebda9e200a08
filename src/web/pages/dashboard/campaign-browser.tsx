import { useCallbackRef, useMediaQuery } from '@mantine/hooks';
import type { ComponentProps, ReactNode, SyntheticEvent } from 'react';
import { useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { showsSmartPauseActive } from '../../text/campaign-view.ts';
import { usePlatformStatus, useUserStatus } from '../../api/queries.ts';
import { useHasCapability } from '../../auth.tsx';
import { useOpenWhy } from '../../components/why/why-address.ts';
import { questionBefore } from './bulk/copy.ts';
import { useQuestion, useSituation } from './bulk/question-dialog.tsx';
import type { CampaignRowProps, RowsProps } from './list/campaign-row.tsx';
import type { AllowedActions } from './bulk/actions.ts';
import classes from './dashboard.module.css';
import type { Filters, Sort } from './list-address.ts';
import { isFiltered, NO_FILTERS } from './list-address.ts';
import type { ListOrder } from './list/list-order.ts';
import { inOrder, orderNow } from './list/list-order.ts';
import { NARROW } from './list/narrow.ts';
import { Rows } from './list/rows.tsx';
import { TableHead } from './list/table-head.tsx';
import type { Ticked } from './list/selection.ts';
import { NOTHING_SELECTED, afterTick, afterTickAll } from './list/selection.ts';
import type { ShownRows } from './list/shown-rows.ts';
import { inRows, rowsNow } from './list/shown-rows.ts';
import { useIdle } from './list/use-idle.ts';
import { useFilters } from './use-list-address.ts';
import { useSearchText } from '../../hooks/use-search-text.ts';
import { ListTools } from './list/list-tools.tsx';
import { NothingFound } from './list/empty-lists.tsx';
import { BulkBar } from './bulk/bulk-bar.tsx';

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
  const head = useRef<HTMLDivElement>(null);

  const { shown, handlers } = useShown(
    campaigns,
    { accountId: account.id, sort },
    { ...filters, q: useDeferredValue(text) },
  );
  const selection = useSelection(campaigns, shown);
  const { onAsk, dialog } = useRowQuestion();
  const propsOf = usePropsOf({ account, allowed, selection, onAsk, size: useToggleSize(campaigns.length) });

  const onSort = (next: Sort) => {
    change({ sort: next }, { replace: true });
    showFirstRow(head.current);
  };
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
    <div {...handlers}>
      {(campaigns.length >= FEW || isFiltered({ ...filters, q: text })) && (
        <Tools {...{ filters, sort, text, onSort }} onText={setText} onFilter={change} />
      )}
      <Table name={account.name} rows={shown.length} hasTicks={allowed !== 'none'}>
        <TableHead
          {...{ sort, onSort }}
          shown={shown.length}
          total={campaigns.length}
          selected={allowed === 'none' ? null : selection.ofShown}
          ref={head}
          onTickAll={selection.tickAll}
        />
        {shown.length > 0 && <Rows campaigns={shown} propsOf={propsOf} />}
      </Table>
      {shown.length === 0 && <NothingFound filters={{ ...filters, q: text }} onClear={clearFilters} />}
      <BulkBar
        {...{ account, allowed, onClear }}
        selected={selection.selected}
        hidden={selection.selected.length - selection.ofShown}
      />
      {dialog}
    </div>
  );
}

/** The order is new, so the rows in view are arbitrary ones. */
function showFirstRow(head: Element | null): void {
  const table = head?.closest('[role=table]');
  if (table != null && table.getBoundingClientRect().top < 0) table.scrollIntoView();
}

interface TableProps {
  name: string;
  rows: number;
  hasTicks: boolean;
  children: ReactNode;
}

/** Roles instead of table elements: in a narrow window the rows are laid out as cards. */
function Table({ name, rows, hasTicks, children }: TableProps) {
  return (
    <div
      role="table"
      aria-label={name}
      aria-rowcount={rows + 1}
      className={classes.table}
      data-ticks={hasTicks || undefined}
      onPointerOver={markCutText}
      onFocus={markCutText}
    >
      {children}
    </div>
  );
}

/** The styles then show the text of this row in full. */
function markCutText({ target }: SyntheticEvent) {
  const about =
    target instanceof Element && target.closest('[data-campaign]')?.querySelector('[role=rowheader]');
  if (!(about instanceof HTMLElement)) return;
  const isCut = [...about.children].some((text) => text.scrollWidth > text.clientWidth);
  if (isCut) about.dataset['cut'] = '';
}

/** The question before a toggle of one row. */
function useRowQuestion() {
  const { ask, dialog } = useQuestion();
  const situationOf = useSituation();
  const onAsk = useCallbackRef<CampaignRowProps['onAsk']>((action, target, onConfirm) =>
    ask(questionBefore(action, [target], situationOf([target])), onConfirm),
  );
  return { onAsk, dialog };
}

interface RowContext extends Pick<CampaignRowProps, 'account' | 'allowed' | 'onAsk'> {
  selection: ReturnType<typeof useSelection>;
  size: CampaignRowProps['toggleSize'];
}

function usePropsOf({ account, allowed, selection, onAsk, size }: RowContext): RowsProps['propsOf'] {
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  const openWhy = useOpenWhy();
  const onWhy = useHasCapability('activity') ? openWhy : null;
  return (campaign) => ({
    account,
    campaign,
    allowed,
    smartPauseActive: showsSmartPauseActive(campaign, status, user),
    selected: selection.ids.has(campaign.id),
    toggleSize: size,
    onAsk,
    onTick: selection.tick,
    onWhy,
  });
}

function useToggleSize(campaigns: number): 'sm' | 'md' | 'lg' {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  if (campaigns === 1) return 'lg';
  return isNarrow ? 'sm' : 'md';
}

/** Keeps its height while search and filters load. */
function Tools(props: ComponentProps<typeof ListTools>) {
  return (
    <div className={classes.tools}>
      <ListTools {...props} />
    </div>
  );
}

/** The campaigns that pass the filters, sorted. No row moves under the pointer (UX-04). */
function useShown(
  campaigns: readonly Campaign[],
  wanted: Pick<ListOrder, 'accountId' | 'sort'>,
  { q, status, smartpause }: Filters,
) {
  const { isIdle, handlers } = useIdle();
  const [order, setOrder] = useState<ListOrder | null>(null);
  const now = orderNow(wanted, campaigns, order, isIdle);
  if (now !== order) setOrder(now);
  const ordered = useMemo(() => inOrder(campaigns, now), [campaigns, now]);
  const filters = useMemo(() => ({ q, status, smartpause }), [q, status, smartpause]);
  const [before, setBefore] = useState<ShownRows | null>(null);
  const rows = useMemo(() => rowsNow(ordered, filters, now, before), [ordered, filters, now, before]);
  if (rows !== before) setBefore(rows);
  const shown = useMemo(() => inRows(ordered, filters, rows), [ordered, filters, rows]);
  return { shown, handlers };
}

/** Survives filter changes; drops campaigns that leave the account. */
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
