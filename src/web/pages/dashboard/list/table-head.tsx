import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { Ref } from 'react';
import classes from '../dashboard.module.css';
import { figure } from '#core/labels.ts';
import type { Sort } from '../list-address.ts';
import type { SortedColumn } from './sorting.ts';
import { directionOf, nextSort } from './sorting.ts';

export interface TableHeadProps {
  shown: number;
  total: number;
  /** The number of selected rows among those shown; null: selection has no use. */
  selected: number | null;
  sort: Sort;
  ref: Ref<HTMLDivElement>;
  onTickAll: (isTicked: boolean) => void;
  onSort: (sort: Sort) => void;
}

/** The column headers, a checkbox for all rows, and the counts. Stays in view. */
export function TableHead({ shown, total, selected, sort, ref, onTickAll, onSort }: TableHeadProps) {
  const count = shown === total ? figure(total) : `${figure(shown)} of ${figure(total)}`;
  return (
    <div role="rowgroup" className={classes.headGroup}>
      <div role="row" className={classes.head} ref={ref} tabIndex={-1}>
        {selected !== null && <TickAll {...{ shown, selected, onTickAll }} />}
        <SortHeader {...{ sort, onSort }} column="name" label="Name">
          <span role="status" className={`${classes.count} figures`}>
            {count} {total === 1 ? 'campaign' : 'campaigns'}
          </span>
        </SortHeader>
        <SortHeader {...{ sort, onSort }} column="status" label="Status" />
        <SortHeader {...{ sort, onSort }} column="budget" label="Budget" />
        <div role="columnheader" className={classes.columnLabel}>
          SmartPause
        </div>
        <div role="columnheader" className={classes.columnLabel}>
          <VisuallyHidden>Manual pause and resume</VisuallyHidden>
        </div>
      </div>
    </div>
  );
}

type TickAllProps = Pick<TableHeadProps, 'shown' | 'onTickAll'> & { selected: number };

function TickAll({ shown, selected, onTickAll }: TickAllProps) {
  return (
    // A header may not be empty.
    <div role={shown > 0 ? 'columnheader' : 'cell'}>
      {shown > 0 && (
        <label className={classes.tick}>
          <input
            type="checkbox"
            ref={(box) => {
              if (box !== null) box.indeterminate = selected > 0 && selected < shown;
            }}
            checked={selected > 0 && selected === shown}
            aria-label={`Select all ${figure(shown)} campaigns`}
            onChange={(event) => onTickAll(event.currentTarget.checked)}
          />
        </label>
      )}
    </div>
  );
}

interface SortHeaderProps extends Pick<TableHeadProps, 'sort' | 'onSort'> {
  column: SortedColumn;
  label: string;
  children?: React.ReactNode;
}

const ARROWS = { ascending: '↑', descending: '↓', none: '↕' };

function SortHeader({ sort, onSort, column, label, children }: SortHeaderProps) {
  const direction = directionOf(sort, column);
  return (
    <div
      role="columnheader"
      aria-sort={direction}
      aria-label={label}
      className={classes.sortHeader}
      data-column={column}
    >
      <UnstyledButton
        className={classes.sort}
        data-sorted={direction === 'none' ? undefined : true}
        onClick={() => onSort(nextSort(sort, column))}
      >
        {label}{' '}
        <span aria-hidden="true" className={classes.arrow}>
          {ARROWS[direction]}
        </span>
      </UnstyledButton>
      {children}
    </div>
  );
}
