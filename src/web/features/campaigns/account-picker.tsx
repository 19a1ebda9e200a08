import '@mantine/core/styles/Combobox.css';
import { Card, NativeSelect, Select, Skeleton, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import type { AdAccount } from '#contract/shapes.ts';
import { useUserStatus } from '../status/api.ts';
import { Muted } from '../../components/muted.ts';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { countsCopy, countsOf, findAccounts } from './account-counts.ts';
import classes from './dashboard.module.css';
import { TurnOnAllButton } from './turn-on-all-button.tsx';

interface AccountPickerProps {
  accounts: readonly AdAccount[];
  selectedId: string | null;
  disabled: boolean;
  onSelect: (adAccountId: string) => void;
}

/** More accounts than this are searchable. */
const FEW_ACCOUNTS = 8;
const NOT_FOUND = 'No ad account matches your search';

/** Same value as in dashboard.module.css. */
const HAS_COLUMN = '(min-width: 75em)';

/** The ad accounts in a column, or as a select in a narrow window. One account needs no choice. */
export function AccountPicker(props: Omit<AccountPickerProps, 'accounts'> & { accounts?: AdAccount[] }) {
  const { accounts } = props;
  const hasColumn = useMediaQuery(HAS_COLUMN, true, { getInitialValueInEffect: false });
  if (accounts === undefined) return hasColumn ? <Placeholders /> : <Skeleton h={36} />;
  if (accounts.length < 2) return null;
  return hasColumn ? (
    <AccountList {...props} accounts={accounts} />
  ) : (
    <AccountSelect {...props} accounts={accounts} />
  );
}

function Placeholders() {
  return (
    <div className={classes.accounts}>
      {[1, 2, 3].map((n) => (
        <Skeleton key={n} h={52} mb={6} data-testid="account-placeholder" />
      ))}
    </div>
  );
}

function AccountList({ accounts, selectedId, disabled, onSelect }: AccountPickerProps) {
  const { data: user } = useUserStatus();
  const { hasActiveSubscription } = useSubscription();
  const [search, setSearch] = useState('');
  const countsLabel = useCountsLabel();
  // Otherwise the checklist or the banner offers it.
  const mayTurnOnAll =
    !disabled && hasActiveSubscription && user?.hasChosenCampaigns === true && user.protectedRunning !== 0;
  const found = findAccounts(accounts, search);
  return (
    <Card component="section" padding="sm" aria-label="Ad accounts" className={classes.accounts}>
      <Title order={2} fz="md" px={12} py={4}>
        Ad accounts
      </Title>
      {accounts.length > FEW_ACCOUNTS && (
        <TextInput
          mb={4}
          aria-label="Search ad accounts"
          placeholder="Name or id"
          value={search}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {found.length === 0 && (
        <Muted role="status" px={12} py="xs">
          {NOT_FOUND}
        </Muted>
      )}
      {found.map((account) => (
        <UnstyledButton
          key={account.id}
          className={classes.account}
          aria-current={account.id === selectedId || undefined}
          disabled={disabled}
          onClick={() => onSelect(account.id)}
        >
          <AccountLabel name={account.name} counts={countsLabel(account)} />
        </UnstyledButton>
      ))}
      {mayTurnOnAll && <TurnOnAllButton variant="subtle" fullWidth mt="xs" h="auto" py={8} />}
    </Card>
  );
}

function AccountSelect({ accounts, selectedId, disabled, onSelect }: AccountPickerProps) {
  const countsLabel = useCountsLabel();
  const byId = new Map(accounts.map((account) => [account.id, account]));
  if (accounts.length <= FEW_ACCOUNTS) {
    const label = (account: AdAccount) => `${account.name} · ${countsLabel(account)}`;
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
      nothingFoundMessage={NOT_FOUND}
      renderOption={({ option: { value, label } }) => {
        const account = byId.get(value);
        return <AccountLabel name={label} counts={account === undefined ? '' : countsLabel(account)} />;
      }}
      onChange={(id) => id !== null && onSelect(id)}
    />
  );
}

/** '12 protected · 3 paused', or the id where the server sends no counts. */
function useCountsLabel() {
  const { data: user } = useUserStatus();
  return (account: AdAccount): string => {
    const copy = countsCopy(countsOf(account, user?.heldAccounts));
    return copy.length === 0 ? account.id.replace(/^act_/, '') : copy.join(' · ');
  };
}

function AccountLabel({ name, counts }: { name: string; counts: string }) {
  return (
    <div>
      <Text span display="block" fz="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <Text span display="block" fz="xs" c="dimmed" className="figures">
        {counts}
      </Text>
    </div>
  );
}
