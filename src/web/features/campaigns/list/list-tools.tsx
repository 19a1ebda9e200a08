import { NativeSelect } from '@mantine/core';
import { SearchBox } from '../../../components/search-box.tsx';
import type { ChangeList, ListAddress } from '../list-address.ts';
import { SMARTPAUSE_LABELS, SORT_LABELS, STATUS_LABELS } from '../list-address.ts';
import classes from './list.module.css';

interface ListToolsProps {
  list: ListAddress;
  onChange: ChangeList;
  /** The text in the search box; the filter may lag behind it. */
  text: string;
  onText: (text: string) => void;
}

export function ListTools({ list, onChange, text, onText }: ListToolsProps) {
  const select = (name: 'sort' | 'status' | 'smartpause', labels: Record<string, string>) => ({
    value: list[name],
    data: Object.entries(labels).map(([value, label]) => ({ value, label })),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ [name]: value }),
  });
  return (
    <search className={classes.tools}>
      {/* Links to the list reset it. */}
      <form onReset={() => onText('')} onSubmit={(event) => event.preventDefault()}>
        <SearchBox aria-label="Search campaigns" value={text} onText={onText} />
      </form>
      {/* In the table the column headers sort. */}
      <NativeSelect hiddenFrom="md" aria-label="Sort by" {...select('sort', SORT_LABELS)} />
      <NativeSelect aria-label="Filter by status" {...select('status', STATUS_LABELS)} />
      <NativeSelect aria-label="Filter by SmartPause" {...select('smartpause', SMARTPAUSE_LABELS)} />
    </search>
  );
}
