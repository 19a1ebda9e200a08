import type { ButtonProps } from '@mantine/core';
import { Card, Select, Skeleton, Text, Title, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import type { AdAccount } from '#contract/shapes.ts';
import { Muted } from '../../components/muted.ts';
import { SearchBox } from '../../components/search-box.tsx';
import { findByWords } from '../../lib/search-words.ts';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { useUserStatus } from '../status/api.ts';
import { TurnOnAllButton } from './all-accounts-buttons.tsx';
import { countsLabel } from './campaign-view.ts';
import classes from './dashboard.module.css';

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
export function AccountPicker({ isLoading, ...props }: AccountPickerProps & { isLoading: boolean }) {
  const hasColumn = useMediaQuery(HAS_COLUMN, true, { getInitialValueInEffect: false });
  if (isLoading && !hasColumn) return <Skeleton h={36} />;
  if (isLoading)
    return (
      <div className={classes.accounts}>
        {[1, 2, 3].map((n) => (
          <Skeleton key={n} h={52} mb={6} data-testid="account-placeholder" />
        ))}
      </div>
    );
  if (props.accounts.length < 2) return null;
  return hasColumn ? <AccountList {...props} /> : <AccountSelect {...props} />;
}

function AccountList({ accounts, selectedId, disabled, onSelect }: AccountPickerProps) {
  const { data: user } = useUserStatus();
  const [search, setSearch] = useState('');
  const found = findByWords(accounts, search);
  return (
    <Card component="section" padding="sm" aria-label="Ad accounts" className={classes.accounts}>
      <Title order={2} fz="md" px={12} py={4}>
        Ad accounts
      </Title>
      <TurnOnRest disabled={disabled} mb="xs" />
      {accounts.length > FEW_ACCOUNTS && (
        <SearchBox mb={4} aria-label="Search ad accounts" value={search} onText={setSearch} />
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
          <Text span display="block" fz="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {account.name}
          </Text>
          <Text span display="block" fz="xs" c="dimmed" className="figures">
            {countsLabel(account, user?.heldAccounts)}
          </Text>
        </UnstyledButton>
      ))}
    </Card>
  );
}

/** Above the accounts, which may be many. Otherwise the checklist or the banner offers it. */
function TurnOnRest({ disabled, ...props }: { disabled: boolean } & ButtonProps) {
  const { data: user } = useUserStatus();
  const { hasActiveSubscription } = useSubscription();
  if (disabled || !hasActiveSubscription) return null;
  if (user?.hasChosenCampaigns !== true || user.protectedRunning === 0) return null;
  return <TurnOnAllButton variant="default" fullWidth h="auto" py={8} {...props} />;
}

function AccountSelect({ accounts, selectedId, disabled, onSelect }: AccountPickerProps) {
  const { data: user } = useUserStatus();
  const optionsOf = (some: readonly AdAccount[]) =>
    some.map(({ id, name }) => ({ value: id, label: name, disabled: false }));
  return (
    <div>
      <Select
        aria-label="Ad account"
        disabled={disabled}
        searchable={accounts.length > FEW_ACCOUNTS}
        // The keyboard does not reach Mantine's scroll area.
        withScrollArea={false}
        styles={{ options: { maxHeight: 280, overflowY: 'auto' } }}
        allowDeselect={false}
        value={selectedId}
        data={optionsOf(accounts)}
        filter={({ search }) => optionsOf(findByWords(accounts, search))}
        nothingFoundMessage={NOT_FOUND}
        // The counts only in the list: beside them a long name would be cut.
        renderOption={({ option: { value, label } }) => {
          const account = accounts.find(({ id }) => id === value);
          return account && `${label} · ${countsLabel(account, user?.heldAccounts)}`;
        }}
        onChange={(id) => id !== null && onSelect(id)}
      />
      <TurnOnRest disabled={disabled} mt="xs" />
    </div>
  );
}
