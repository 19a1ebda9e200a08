import { Card, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { AdAccount } from '#contract/shapes.ts';
import { useCampaigns, useUserStatus } from '../../api/queries.ts';
import { Muted } from '../../components/muted.ts';
import { useSubscription } from '../../subscription.tsx';
import type { AccountCounts } from './account-counts.ts';
import { countsCopy, countsIn, countsOf, findAccounts } from './account-counts.ts';
import classes from './dashboard.module.css';
import { TurnOnAllButton } from './turn-on-all-button.tsx';

export interface AccountListProps {
  accounts: readonly AdAccount[];
  selectedId: string | null;
  disabled: boolean;
  onSelect: (adAccountId: string) => void;
}

/** More accounts than this are searchable. */
export const FEW_ACCOUNTS = 8;

export function AccountList({ accounts, selectedId, disabled, onSelect }: AccountListProps) {
  const { data: user } = useUserStatus();
  const { hasActiveSubscription } = useSubscription();
  const [search, setSearch] = useState('');
  // Otherwise the checklist or the banner offers it.
  const mayTurnOnAll =
    hasActiveSubscription && user?.hasChosenCampaigns === true && user.protectedRunning !== 0;
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
      {search !== '' && found.length === 0 && (
        <Muted role="status" px={12} py="xs">
          No ad account matches your search
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
          {account.id === selectedId ? (
            <SelectedCounts account={account} counts={countsOf(account, user?.heldAccounts)} />
          ) : (
            <Counts account={account} counts={countsOf(account, user?.heldAccounts)} />
          )}
        </UnstyledButton>
      ))}
      {!disabled && mayTurnOnAll && <TurnOnAllButton variant="subtle" fullWidth mt="xs" h="auto" py={8} />}
    </Card>
  );
}

interface CountsProps {
  account: AdAccount;
  counts: AccountCounts;
}

/** The page has the list of this account, so its counts change at once. */
function SelectedCounts({ account, counts }: CountsProps) {
  const { data: campaigns } = useCampaigns(account.id);
  return <Counts account={account} counts={campaigns === undefined ? counts : countsIn(campaigns)} />;
}

function Counts({ account, counts }: CountsProps) {
  const copy = countsCopy(counts);
  return (
    <Text span display="block" fz="xs" c="dimmed" className="figures">
      {copy.length === 0 ? account.id.replace(/^act_/, '') : copy.join(' · ')}
    </Text>
  );
}
