import { Container, Stack } from '@mantine/core';
import { useState } from 'react';
import { hasFailed } from '../../lib/has-failed.ts';
import { useAdAccounts } from '../../lib/queries.ts';
import { useUserStatus } from '../status/api.ts';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { LIST_ID } from '../../lib/focus-list.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { Why } from '../activity/why.tsx';
import { AccountPicker } from './account-picker.tsx';
import { Banners } from './banners.tsx';
import { Checklist } from './checklist.tsx';
import classes from './dashboard.module.css';
import { LapsedBanners } from './lapsed-banners.tsx';
import { LastOutage } from './last-outage.tsx';
import { CampaignList } from './list/campaign-list.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { useChosenAccount } from './use-list-address.ts';

/** @param props.isLapsed without a subscription: SmartPause can be turned off and campaigns resumed, no more */
export function Dashboard({ isLapsed = false }: { isLapsed?: boolean }) {
  const { isInitialized } = useUser();
  const hasActivity = useHasCapability('activity');
  const query = useAdAccounts();
  const { data: accounts } = query;
  const [selected, choose] = useChosenAccount(accounts);
  return (
    <Container size={1720} py={{ base: 'md', sm: 'xl' }} className={classes.page}>
      <Stack gap="lg">
        <PageHeading fz={26}>Campaigns</PageHeading>
        {!isLapsed && <Setup isInitialized={isInitialized} />}
        {isLapsed ? <LapsedBanners /> : <Banners isInitialized={isInitialized} />}
        {isInitialized && hasActivity && <LastOutage />}
        {hasFailed(query) && accounts === undefined ? (
          <NotLoaded text="Your ad accounts couldn’t be loaded." query={query} />
        ) : (
          <div className={classes.columns}>
            <AccountPicker
              {...(accounts !== undefined && { accounts })}
              selectedId={selected?.id ?? null}
              disabled={!isInitialized}
              onSelect={choose}
            />
            <div id={LIST_ID} tabIndex={-1}>
              <CampaignList
                key={selected?.id}
                account={selected}
                loading={accounts === undefined}
                allowed={isInitialized ? (isLapsed ? 'off_and_resume' : 'all') : 'none'}
              />
            </div>
          </div>
        )}
      </Stack>
      <Why />
    </Container>
  );
}

/** The checklist of the setup, until the page is left after it is done. */
function Setup({ isInitialized }: { isInitialized: boolean }) {
  const { data: user } = useUserStatus();
  const isDone = isInitialized && user?.hasChosenCampaigns !== false;
  const [wasShown, setWasShown] = useState(false);
  if (!isDone && !wasShown) setWasShown(true);
  return wasShown && <Checklist isInitialized={isInitialized} isDone={isDone} />;
}
