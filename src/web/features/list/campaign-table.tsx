import { Button, Group, NativeSelect, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Campaign } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import type { Sort } from '../campaigns/list-address.ts';
import { useChanges } from '../changes/change-provider.tsx';
import classes from './list.module.css';
import type { SortedColumn } from './order.ts';
import { directionOf, nextSort } from './order.ts';
import { RowCheckbox } from './switches.tsx';

/** More rows are drawn only on demand, twice as many each time; search and filter find all of them. */
const FIRST_ROWS = 100;

interface CampaignTableProps {
  name: string;
  showsAccount: boolean;
  campaigns: readonly Campaign[];
  /** Also those that search and filter hide. */
  total: number;
  isAllSelected: boolean;
  onSelectAll: () => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
  row: (campaign: Campaign) => ReactNode;
}

/**
 * The column headers with a checkbox for all rows and the counts stay in view. The roles are explicit: Safari takes
 * those of a table from what is no table in its style.
 */
export function CampaignTable(props: CampaignTableProps) {
  const { name, showsAccount, campaigns, total, isAllSelected, onSelectAll, sort, onSort, row } = props;
  const { allowed } = useChanges();
  const [limit, setLimit] = useState(FIRST_ROWS);
  const body = useRef<HTMLTableSectionElement>(null);
  const next = Math.min(2 * limit, campaigns.length);
  const onMore = () => {
    flushSync(() => setLimit(next));
    body.current?.rows[limit]?.querySelector<HTMLElement>(':enabled')?.focus();
  };
  return (
    <>
      <table
        role="table"
        className={classes.table}
        data-accounts={showsAccount || undefined}
        aria-label={name}
        aria-rowcount={campaigns.length + 1}
      >
        <thead role="rowgroup">
          <tr role="row" className={classes.row}>
            <td role="cell" className={classes.tickCell}>
              <RowCheckbox
                label={`Select all ${figure(campaigns.length)} campaigns`}
                isTicked={isAllSelected}
                disabled={campaigns.length === 0 || allowed.length === 0}
                onTick={onSelectAll}
              />
            </td>
            <SortHeader {...{ sort, onSort }} column="name" label="Name">
              <Count shown={campaigns.length} total={total} />
            </SortHeader>
            {showsAccount && <SortHeader {...{ sort, onSort }} column="account" label="Ad account" />}
            <SortHeader {...{ sort, onSort }} column="status" label="Status" />
            <PlainHeader>In an outage</PlainHeader>
            <SortHeader {...{ sort, onSort }} column="budget" label="Budget" />
            <PlainHeader>SmartPause</PlainHeader>
            <PlainHeader>
              <VisuallyHidden>Menu</VisuallyHidden>
            </PlainHeader>
            <SortSelect {...{ sort, onSort }} />
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body}>
          {campaigns.slice(0, limit).map(row)}
        </tbody>
      </table>
      {limit < campaigns.length && (
        <Group justify="center" p="md" className={classes.more}>
          <Button variant="default" onClick={onMore}>
            Show {figure(next - limit)} more
          </Button>
        </Group>
      )}
    </>
  );
}

function Count({ shown, total }: { shown: number; total: number }) {
  return (
    <span role="status" className={`${classes.count} figures`} data-some={shown !== total || undefined}>
      {shown !== total && `${figure(shown)} of `}
      {figure(total)}
      <span>{total === 1 ? ' campaign' : ' campaigns'}</span>
    </span>
  );
}

function PlainHeader(props: { children: ReactNode }) {
  return <th role="columnheader" scope="col" {...props} />;
}

const SORT_WORDS: Record<Sort, string> = {
  default: 'active first',
  name: 'name, A to Z',
  '-name': 'name, Z to A',
  status: 'status',
  '-status': 'status, reversed',
  account: 'account, A to Z',
  '-account': 'account, Z to A',
  '-budget': 'highest budget',
  budget: 'lowest budget',
};
const SORT_OPTIONS = Object.entries(SORT_WORDS).map(([value, words]) => ({ value, label: `Sort: ${words}` }));

/** On a phone, in place of the column headers. */
function SortSelect({ sort, onSort }: Pick<CampaignTableProps, 'sort' | 'onSort'>) {
  return (
    <td role="cell" className="mantine-hidden-from-md">
      <NativeSelect
        aria-label="Sort"
        value={sort}
        data={SORT_OPTIONS}
        onChange={({ currentTarget: { value } }) => onSort(value as Sort)}
      />
    </td>
  );
}

const ARROWS = { ascending: '↑', descending: '↓', none: '↕' };

interface SortHeaderProps extends Pick<CampaignTableProps, 'sort' | 'onSort'> {
  column: SortedColumn;
  label: string;
  children?: ReactNode;
}

function SortHeader({ sort, onSort, column, label, children }: SortHeaderProps) {
  const direction = directionOf(sort, column);
  return (
    <th role="columnheader" scope="col" aria-sort={direction} data-column={column}>
      <button type="button" className={classes.sort} onClick={() => onSort(nextSort(sort, column))}>
        {label} <span aria-hidden="true">{ARROWS[direction]}</span>
      </button>
      {children}
    </th>
  );
}
