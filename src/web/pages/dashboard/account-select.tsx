import '@mantine/core/styles/Combobox.css';
import { NativeSelect, Select, Text } from '@mantine/core';
import type { AdAccount } from '#contract/shapes.ts';
import { useUserStatus } from '../../api/queries.ts';
import { countsCopy, countsOf, findAccounts } from './account-counts.ts';
import type { AccountListProps } from './account-list.tsx';
import { FEW_ACCOUNTS } from './account-list.tsx';

/** The ad accounts in a narrow window. */
export function AccountSelect({ accounts, selectedId, disabled, onSelect }: AccountListProps) {
  const { data: user } = useUserStatus();
  const countsIn = (account: AdAccount) => countsCopy(countsOf(account, user?.heldAccounts)).join(', ');
  if (accounts.length <= FEW_ACCOUNTS) {
    // The counts of the selected account are above its list.
    const label = (account: AdAccount) =>
      account.id === selectedId
        ? account.name
        : [account.name, countsIn(account)].filter(Boolean).join(' · ');
    return (
      <NativeSelect
        aria-label="Ad account"
        disabled={disabled}
        value={selectedId ?? ''}
        data={accounts.map((account) => ({ value: account.id, label: label(account) }))}
        onChange={(event) => onSelect(event.currentTarget.value)}
      />
    );
  }
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return (
    <Select
      aria-label="Ad account"
      disabled={disabled}
      searchable
      // The keyboard does not reach Mantine's scroll area.
      withScrollArea={false}
      styles={{ options: { maxHeight: 280, overflowY: 'auto' } }}
      allowDeselect={false}
      value={selectedId}
      data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
      filter={({ search }) =>
        findAccounts(accounts, search).map(({ id, name }) => ({ value: id, label: name, disabled: false }))
      }
      nothingFoundMessage="No ad account matches your search"
      renderOption={({ option }) => {
        const account = byId.get(option.value);
        return (
          <div>
            <Text fz="sm">{option.label}</Text>
            <Text fz="xs" c="dimmed">
              {account !== undefined && countsIn(account)}
            </Text>
          </div>
        );
      }}
      onChange={(id) => id !== null && onSelect(id)}
    />
  );
}
