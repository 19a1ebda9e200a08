import { Card, NavLink, Select, Skeleton, Title } from '@mantine/core';
import { useState } from 'react';
import type { AdAccount } from '#contract/shapes.ts';
import { Muted } from '../../components/muted.ts';
import { SearchBox } from '../../components/search-box.tsx';
import { findByWords } from '../../lib/search-words.ts';
import { useCounts } from '../campaigns/use-unable.ts';
import classes from './dashboard.module.css';

export interface AccountPickerProps {
  /** All together first. */
  accounts: readonly AdAccount[];
  selectedId: string | null;
  disabled: boolean;
  onSelect: (adAccountId: string) => void;
}

/** More accounts than this are searchable. */
const FEW_ACCOUNTS = 8;
/** More letters than this do not fit into the field of a phone. */
const LONG_NAME = 34;
const NOT_FOUND = 'No ad account matches your search';

/** In a wide window. */
export function AccountColumn({ accounts, selectedId, disabled, onSelect }: AccountPickerProps) {
  const countsOf = useCounts();
  const [search, setSearch] = useState('');
  const found = findByWords(accounts, search);
  return (
    <Card component="section" padding="sm" aria-label="Ad accounts" className={classes.accounts}>
      <Title order={2} fz="md" px={10} py={4}>
        Ad accounts
      </Title>
      {accounts.length > FEW_ACCOUNTS && (
        <SearchBox mb={4} aria-label="Search ad accounts" value={search} onText={setSearch} />
      )}
      {found.length === 0 && (
        <Muted role="status" px={10} py="xs">
          {NOT_FOUND}
        </Muted>
      )}
      {found.map((account) => (
        <NavLink
          key={account.id}
          renderRoot={(props) => <button {...props} type="button" disabled={disabled} />}
          className={classes.account}
          px={10}
          active={account.id === selectedId}
          aria-current={account.id === selectedId || undefined}
          disabled={disabled}
          label={<b>{account.name}</b>}
          description={countsOf(account)}
          onClick={() => onSelect(account.id)}
        />
      ))}
    </Card>
  );
}

export function AccountPlaceholders() {
  return (
    <div className={classes.accounts}>
      {[1, 2, 3].map((n) => (
        <Skeleton key={n} h={52} mb={6} data-testid="account-placeholder" />
      ))}
    </div>
  );
}

/** In a narrow window. */
export function AccountSelect({ accounts, selectedId, disabled, onSelect }: AccountPickerProps) {
  const countsOf = useCounts();
  const name = accounts.find(({ id }) => id === selectedId)?.name;
  const optionsOf = (some: readonly AdAccount[]) =>
    some.map(({ id, name }) => ({ value: id, label: name, disabled: false }));
  return (
    <Select
      aria-label="Ad account"
      w="100%"
      disabled={disabled}
      searchable={accounts.length > FEW_ACCOUNTS}
      // The keyboard does not reach Mantine's scroll area.
      withScrollArea={false}
      styles={{ options: { maxHeight: 280, overflowY: 'auto' } }}
      allowDeselect={false}
      value={selectedId}
      // The field cuts a long name.
      description={name !== undefined && name.length > LONG_NAME && name}
      descriptionProps={{ mt: 8 }}
      inputWrapperOrder={['input', 'description']}
      data={optionsOf(accounts)}
      filter={({ search }) => optionsOf(findByWords(accounts, search))}
      nothingFoundMessage={NOT_FOUND}
      // The counts only in the list: beside them a long name would be cut.
      renderOption={({ option: { value, label } }) => {
        const account = accounts.find(({ id }) => id === value);
        return account && `${label} · ${countsOf(account)}`;
      }}
      onChange={(id) => id !== null && onSelect(id)}
    />
  );
}
