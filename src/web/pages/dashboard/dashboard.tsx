import { Container, Skeleton, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { useAdAccounts, useUserStatus } from '../../api/queries.ts';
import { useHasCapability, useUser } from '../../auth.tsx';
import { LastOutage } from './last-outage/last-outage.tsx';
import { Why } from '../../components/why/why.tsx';
import { LapsedBanners } from './lapsed-banners.tsx';
import { Checklist } from './setup/checklist.tsx';
import { AccountList } from './account-list.tsx';
import { AccountSelect } from './account-select.tsx';
import type { AccountListProps } from './account-list.tsx';
import { Banners } from './banners.tsx';
import classes from './dashboard.module.css';
import { CampaignList } from './list/campaign-list.tsx';
import { LIST_ID } from '../../browser/focus-list.ts';
import { useChosenAccount } from './use-list-address.ts';

/** @param props.isLapsed without a subscription: SmartPause can be turned off and campaigns resumed, no more */
export function Dashboard({ isLapsed = false }: { isLapsed?: boolean }) {
  const { isInitialized } = useUser();
  const hasActivity = useHasCapability('activity');
  const { data: accounts } = useAdAccounts();
  const [selected, choose] = useChosenAccount(accounts);
  return (
    <Container size={1720} py={{ base: 'md', sm: 'xl' }} className={classes.page}>
      <Stack gap="lg">
        <PageHeading fz={26}>Campaigns</PageHeading>
        {!isLapsed && <Setup isInitialized={isInitialized} />}
        {isLapsed ? <LapsedBanners /> : <Banners isInitialized={isInitialized} />}
        {isInitialized && hasActivity && <LastOutage />}
        <div className={classes.columns}>
          <Accounts
            accounts={accounts}
            selectedId={selected?.id ?? null}
            disabled={!isInitialized}
            onSelect={choose}
          />
          <div id={LIST_ID} tabIndex={-1} className={classes.listColumn}>
            <CampaignList
              key={selected?.id}
              account={selected}
              loading={accounts === undefined}
              allowed={isInitialized ? (isLapsed ? 'off_and_resume' : 'all') : 'none'}
            />
          </div>
        </div>
      </Stack>
      <Why />
    </Container>
  );
}

/** The checklist of the setup, until it is done. */
function Setup({ isInitialized }: { isInitialized: boolean }) {
  const { data: user } = useUserStatus();
  const isDone = isInitialized && user?.hasChosenCampaigns !== false;
  const [isLoaded, setLoaded] = useState(false);
  if (!isDone && !isLoaded) setLoaded(true);
  if (!isLoaded) return null;
  return <Checklist isInitialized={isInitialized} isDone={isDone} />;
}

/** Same value as in dashboard.module.css. */
const HAS_COLUMN = '(min-width: 75em)';

interface AccountsProps extends Omit<AccountListProps, 'accounts'> {
  accounts: AccountListProps['accounts'] | undefined;
}

/** A column, or a select in a narrow window. One account needs no choice. */
function Accounts({ accounts, ...props }: AccountsProps) {
  const hasColumn = useMediaQuery(HAS_COLUMN, true, { getInitialValueInEffect: false });
  if (accounts === undefined) return hasColumn ? <Placeholders /> : <Skeleton h={36} />;
  if (accounts.length < 2) return null;
  const Choice = hasColumn ? AccountList : AccountSelect;
  return <Choice {...props} accounts={accounts} />;
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
