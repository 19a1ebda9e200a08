import { Button, NativeSelect, Popover, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { SearchBox } from '../../../components/search-box.tsx';
import type { ListAddress } from '../list-address.ts';
import { NO_FILTERS, SMARTPAUSE_LABELS, SORT_LABELS, STATUS_LABELS } from '../list-address.ts';
import classes from './list.module.css';

interface ListToolsProps {
  list: ListAddress;
  onChange: (change: Partial<ListAddress>) => void;
  /** The text in the search box; the filter may lag behind it. */
  text: string;
  onText: (text: string) => void;
}

/** In a narrow window the filters are behind a button, so that the first campaign is not far below. */
export function ListTools({ list, onChange, text, onText }: ListToolsProps) {
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false });
  const select = (name: 'sort' | 'status' | 'smartpause', label: string, labels: Record<string, string>) => (
    <NativeSelect
      aria-label={label}
      value={list[name]}
      data={Object.entries(labels).map(([value, text]) => ({ value, label: text }))}
      onChange={({ currentTarget: { value } }) => onChange({ [name]: value })}
    />
  );
  const filters = (
    <>
      {select('status', 'Filter by status', STATUS_LABELS)}
      {select('smartpause', 'Filter by SmartPause', SMARTPAUSE_LABELS)}
    </>
  );
  const active = (['status', 'smartpause'] as const).filter((name) => list[name] !== NO_FILTERS[name]).length;
  return (
    <search className={classes.tools}>
      {/* Links to the list reset it. */}
      <form onReset={() => onText('')} onSubmit={(event) => event.preventDefault()}>
        <SearchBox aria-label="Search campaigns" value={text} onText={onText} />
      </form>
      {isNarrow ? (
        <Popover position="bottom-end" trapFocus returnFocus>
          <Popover.Target>
            <Button variant="default" px={12}>
              Filter{active > 0 && ` (${active})`}
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <Stack gap="xs">
              {/* In the table the column headers sort. */}
              {select('sort', 'Sort by', SORT_LABELS)}
              {filters}
            </Stack>
          </Popover.Dropdown>
        </Popover>
      ) : (
        filters
      )}
    </search>
  );
}
