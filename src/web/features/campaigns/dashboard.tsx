import { Container, Stack } from '@mantine/core';
import { PageHeading } from '../../components/page-heading.tsx';
import { LIST_ID } from '../../lib/focus-list.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { useAdAccounts } from '../../lib/queries.ts';
import { Why } from '../activity/why.tsx';
import { useHasCapability, useUser } from '../auth/auth-provider.tsx';
import { AccountPicker } from './account-picker.tsx';
import { Banners } from './banners.tsx';
import { ALLOWED } from './bulk/actions.ts';
import { QuestionDialog } from './bulk/question-dialog.tsx';
import { Checklist } from './checklist.tsx';
import classes from './dashboard.module.css';
import { LapsedBanners } from './lapsed-banners.tsx';
import { LastOutage } from './last-outage.tsx';
import { useChosenAccount } from './list-address.ts';
import { CampaignList } from './list/campaign-list.tsx';
import { NotLoaded } from './notices.tsx';

/** @param props.isLapsed without a subscription: SmartPause can be turned off and campaigns resumed, no more */
export function Dashboard({ isLapsed = false }: { isLapsed?: boolean }) {
  const { isInitialized } = useUser();
  const hasActivity = useHasCapability('activity');
  const query = useAdAccounts();
  const { data: accounts } = query;
  const [selected, choose] = useChosenAccount(accounts);
  return (
    <QuestionDialog>
      <Container size={1720} py={{ base: 'md', sm: 'xl' }} className={classes.page}>
        <Stack gap="lg">
          <PageHeading fz={26}>Campaigns</PageHeading>
          {!isLapsed && <Checklist isInitialized={isInitialized} />}
          {isLapsed ? <LapsedBanners /> : <Banners isInitialized={isInitialized} />}
          {isInitialized && hasActivity && <LastOutage />}
          {hasFailed(query) && accounts === undefined ? (
            <NotLoaded text="Your ad accounts couldn’t be loaded." query={query} />
          ) : (
            <div className={classes.columns}>
              <AccountPicker
                accounts={accounts ?? []}
                isLoading={accounts === undefined}
                selectedId={selected?.id ?? null}
                disabled={!isInitialized}
                onSelect={choose}
              />
              <div id={LIST_ID} tabIndex={-1}>
                <CampaignList
                  key={selected?.id}
                  account={selected}
                  loading={accounts === undefined}
                  allowed={ALLOWED[isInitialized ? (isLapsed ? 'withoutSubscription' : 'all') : 'none']}
                />
              </div>
            </div>
          )}
        </Stack>
        <Why />
      </Container>
    </QuestionDialog>
  );
}
