import { Card, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import type { AdAccount } from '#contract/shapes.ts';
import classes from './dashboard.module.css';

export interface AccountListProps {
  accounts: readonly AdAccount[] | undefined;
  selectedId: string | null;
  disabled: boolean;
  onSelect: (adAccountId: string) => void;
}

export function AccountList({ accounts, selectedId, disabled, onSelect }: AccountListProps) {
  return (
    <Card component="section" padding="md" aria-label="Ad accounts">
      <Title order={2} fz="md" mb="sm">
        Ad accounts
      </Title>
      <Stack gap={6}>
        {accounts === undefined && <Placeholders />}
        {accounts?.length === 0 && (
          <Text fz="sm" c="dimmed">
            No ad accounts found. SmartPause shows those that you may manage on Meta; log in again after you
            were given access to one.
          </Text>
        )}
        {accounts?.map((account) => (
          <UnstyledButton
            key={account.id}
            className={classes.account}
            aria-pressed={account.id === selectedId}
            disabled={disabled}
            onClick={() => onSelect(account.id)}
          >
            <Text span display="block" fz="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {account.name}
            </Text>
            <Text span display="block" fz="xs" c="dimmed" className="figures" truncate>
              {account.id.replace(/^act_/, '')}
              {account.currency !== undefined && ` · ${account.currency}`}
            </Text>
          </UnstyledButton>
        ))}
      </Stack>
    </Card>
  );
}

function Placeholders() {
  return [1, 2, 3].map((n) => <Skeleton key={n} h={52} data-testid="account-placeholder" />);
}
