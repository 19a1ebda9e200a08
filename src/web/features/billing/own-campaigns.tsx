import { Box, Card, Divider, Group } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { counted, figure } from '#core/labels.ts';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { LoadFailure } from '../../components/query-content.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { campaignsQuery, useAdAccounts } from '../../lib/queries.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import { OutageReplay } from '../replay/what-if.tsx';
import type { OwnList } from './spending.ts';
import { budgetsFor, runningIn, spendingLabel } from './spending.ts';

/** More accounts would push the plan too far down. */
const NAMED = 4;

/** Before a plan: what runs in the user's own ad accounts, and what past outages would have done with it. */
export function OwnCampaigns() {
  const query = useAdAccounts();
  const accounts = query.data ?? [];
  const answers = useQueries({ queries: accounts.map(({ id }) => campaignsQuery(id)) });
  const lists = accounts.map((account, index) => ({ account, campaigns: answers[index]?.data?.campaigns }));
  const isPending = [query, ...answers].some((one) => one.data === undefined && !hasFailed(one));
  const hasReplay = useHasCapability('replay');
  return (
    <Card component="section" aria-label="Your campaigns" padding="xl">
      {hasReplay && (
        <>
          <OutageReplay
            isShort
            note={(pausedMs) => {
              const amount = isPending ? null : budgetsFor(lists, pausedMs);
              return amount === null ? '' : `Today’s budgets come to about ${amount} in that time.`;
            }}
          />
          <Divider my="lg" />
        </>
      )}
      {isPending && <Placeholders heights={[22]} />}
      {!isPending && query.data === undefined && (
        <LoadFailure text="Your ad accounts couldn’t be loaded." query={query} />
      )}
      {!isPending && query.data !== undefined && <Running lists={lists} />}
    </Card>
  );
}

function Running({ lists }: { lists: readonly OwnList[] }) {
  const running = lists.flatMap(runningIn).length;
  const spending = spendingLabel(lists);
  const unread = lists.filter(({ campaigns }) => campaigns === undefined).length;
  const known = lists.filter(({ campaigns }) => campaigns !== undefined);
  if (lists.length === 0) return <Muted>Meta shows no ad account for this Facebook login.</Muted>;
  const count = running === 0 ? 'no campaign' : counted(running, 'campaign');
  const where = lists.length > 1 ? ` in ${counted(lists.length, 'ad account')}` : '';
  const missing = unread > 0 && `${counted(unread, 'ad account')} couldn’t be read`;
  return (
    <Box className="figures" style={{ overflowWrap: 'anywhere' }}>
      <Muted>{[`Now: ${count} running${where}`, spending, missing].filter(Boolean).join(' · ')}</Muted>
      {known.length > 1 &&
        known.slice(0, NAMED).map((list) => (
          <Group key={list.account.id} justify="space-between" gap="0 md" mt="xs" fz="sm">
            <span>{list.account.name}</span>
            <Muted span>
              {[`${figure(runningIn(list).length)} running`, spendingLabel([list])]
                .filter(Boolean)
                .join(' · ')}
            </Muted>
          </Group>
        ))}
      {known.length > NAMED && <Muted mt="xs">and {counted(known.length - NAMED, 'more ad account')}</Muted>}
    </Box>
  );
}
