import { CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { useRef } from 'react';
import classes from '../dashboard.module.css';
import type { Filters } from '../list-address.ts';
import { QUERY_MAX, SMARTPAUSE_FILTERS, STATUS_FILTERS } from '../list-address.ts';

const STATUS_WORDS = { all: 'All statuses', active: 'Active', paused: 'Paused', other: 'Other statuses' };
const SMARTPAUSE_WORDS = {
  all: 'SmartPause: all',
  on: 'SmartPause on',
  off: 'SmartPause off',
  disabled: 'SmartPause disabled',
};

export interface ListToolsProps {
  filters: Filters;
  /** What stands in the search box; the filter may lag behind it. */
  text: string;
  onText: (text: string) => void;
  onFilter: (change: Partial<Filters>) => void;
}

export function ListTools({ filters, text, onText, onFilter }: ListToolsProps) {
  const search = useRef<HTMLInputElement>(null);
  const empty = () => {
    onText('');
    search.current?.focus();
  };
  return (
    <search className={classes.toolsRow}>
      <TextInput
        ref={search}
        className={classes.searchBox}
        aria-label="Search campaigns"
        placeholder="Search by name or id"
        value={text}
        maxLength={QUERY_MAX}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => onText(event.currentTarget.value)}
        rightSection={text !== '' && <CloseButton aria-label="Clear search" onClick={empty} />}
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

function oneOf<T extends string>(known: readonly [T, ...T[]], value: string): T {
  return known.find((one) => one === value) ?? known[0];
}
