import { NativeSelect } from '@mantine/core';
import { SearchBox } from '../../../components/search-box.tsx';
import type { Filters, Sort } from '../list-address.ts';
import { QUERY_MAX, SMARTPAUSE_FILTERS, SORTS, STATUS_FILTERS, oneOf } from '../list-address.ts';
import classes from './list.module.css';

const STATUS_WORDS = { all: 'All statuses', active: 'Active', paused: 'Paused', other: 'Other statuses' };
const SMARTPAUSE_WORDS = {
  all: 'SmartPause: all',
  on: 'SmartPause on',
  off: 'SmartPause off',
  disabled: 'SmartPause disabled',
  paused: 'Paused by SmartPause',
};

const SORT_WORDS: Record<Sort, string> = {
  default: 'Default order',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  status: 'Active first',
  '-status': 'Active last',
  '-budget': 'Highest budget',
  budget: 'Lowest budget',
};

interface ListToolsProps {
  filters: Filters;
  sort: Sort;
  /** The text in the search box; the filter may lag behind it. */
  text: string;
  onText: (text: string) => void;
  onFilter: (change: Partial<Filters>) => void;
  onSort: (sort: Sort) => void;
}

export function ListTools({ filters, sort, text, onText, onFilter, onSort }: ListToolsProps) {
  return (
    <search className={classes.tools}>
      <SearchBox aria-label="Search campaigns" flex={1} maxLength={QUERY_MAX} value={text} onText={onText} />
      {/* In the table the column headers sort. */}
      <NativeSelect
        hiddenFrom="md"
        aria-label="Sort by"
        value={sort}
        data={SORTS.map((value) => ({ value, label: SORT_WORDS[value] }))}
        onChange={({ currentTarget: { value } }) => onSort(oneOf(SORTS, value))}
      />
      <NativeSelect
        aria-label="Filter by status"
        value={filters.status}
        data={STATUS_FILTERS.map((value) => ({ value, label: STATUS_WORDS[value] }))}
        onChange={({ currentTarget: { value } }) => onFilter({ status: oneOf(STATUS_FILTERS, value) })}
      />
      <NativeSelect
        aria-label="Filter by SmartPause"
        value={filters.smartpause}
        data={SMARTPAUSE_FILTERS.map((value) => ({ value, label: SMARTPAUSE_WORDS[value] }))}
        onChange={({ currentTarget: { value } }) =>
          onFilter({ smartpause: oneOf(SMARTPAUSE_FILTERS, value) })
        }
      />
    </search>
  );
}
