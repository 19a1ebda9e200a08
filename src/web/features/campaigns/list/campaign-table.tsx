import { Button, Group, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Campaign } from '#contract/shapes.ts';
import { counted, figure } from '#core/labels.ts';
import type { Sort } from '../list-address.ts';
import classes from './list.module.css';
import type { SortedColumn } from './order.ts';
import { directionOf, nextSort } from './order.ts';
import { Tick } from './switches.tsx';

/** More rows are drawn only on demand, twice as many each time; search and filters find all of them. */
const FIRST_ROWS = 300;

interface CampaignTableProps extends Omit<HeadProps, 'shown'> {
  name: string;
  campaigns: readonly Campaign[];
  row: (campaign: Campaign) => ReactNode;
}

export function CampaignTable({ name, campaigns, row, ...head }: CampaignTableProps) {
  const [limit, setLimit] = useState(FIRST_ROWS);
  const body = useRef<HTMLTableSectionElement>(null);
  const next = Math.min(2 * limit, campaigns.length);
  const onMore = () => {
    flushSync(() => setLimit(next));
    body.current?.rows[limit]?.querySelector<HTMLElement>(':enabled')?.focus();
  };
  return (
    <>
      <table className={classes.table} aria-label={name}>
        <Head {...head} shown={campaigns.length} />
        <tbody ref={body}>{campaigns.slice(0, limit).map(row)}</tbody>
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

interface HeadProps {
  shown: number;
  total: number;
  /** All shown rows are selected, or some of them. */
  isTicked: boolean;
  isPartly: boolean;
  isSelectable: boolean;
  onTickAll: () => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** The column headers, a checkbox for all rows, and the counts. Stays in view. */
function Head({ shown, total, isTicked, isPartly, isSelectable, onTickAll, sort, onSort }: HeadProps) {
  const header = (column: SortedColumn, label: string, children?: ReactNode) => {
    const direction = directionOf(sort, column);
    return (
      <th scope="col" aria-sort={direction} data-column={column}>
        <button
          type="button"
          className={`${classes.sort} mantine-visible-from-md`}
          onClick={() => onSort(nextSort(sort, column))}
        >
          {label} <span aria-hidden="true">{ARROWS[direction]}</span>
        </button>
        {children}
      </th>
    );
  };
  return (
    <thead>
      <tr className={classes.row}>
        <td className={classes.tickCell}>
          <Tick
            label={`Select all ${figure(shown)} campaigns`}
            {...{ isTicked, isPartly }}
            disabled={!isSelectable || shown === 0}
            onTick={onTickAll}
          />
        </td>
        {header(
          'name',
          'Name',
          <span role="status" className={`${classes.count} figures`}>
            {shown !== total && `${figure(shown)} of `}
            {counted(total, 'campaign')}
          </span>,
        )}
        {header('status', 'Status')}
        {header('budget', 'Budget')}
        <th scope="col">SmartPause</th>
        <th scope="col">
          <VisuallyHidden>Manual pause and resume</VisuallyHidden>
        </th>
      </tr>
    </thead>
  );
}

const ARROWS = { ascending: '↑', descending: '↓', none: '↕' };
