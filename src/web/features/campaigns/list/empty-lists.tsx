import { Box, Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AdAccount } from '#contract/shapes.ts';
import { Muted } from '../../../components/muted.ts';
import { loginAddress } from '../../../lib/return-to.ts';
import { useReturnTo } from '../../auth/use-return-to.ts';
import type { Filters } from '../list-address.ts';
import { isFiltered } from '../list-address.ts';

export function NoAccounts() {
  const returnTo = useReturnTo();
  return (
    <Empty
      title="Select an ad account to view campaigns"
      text="No ad account found on Meta for your login. Log in again once you have access to one."
    >
      <Button component="a" variant="default" href={loginAddress(returnTo)}>
        Log in again
      </Button>
    </Empty>
  );
}

export function NoCampaigns({ account }: { account: AdAccount }) {
  const id = encodeURIComponent(account.id.replace(/^act_/, ''));
  const href = `https://adsmanager.facebook.com/adsmanager/manage/campaigns?act=${id}`;
  return (
    <Empty
      title="No campaigns found for this account"
      text="Create one in Ads Manager. It appears here automatically."
    >
      <Button component="a" variant="default" href={href} target="_blank" rel="noreferrer">
        Open Ads Manager
      </Button>
    </Empty>
  );
}

/** No campaign passes the filters. */
export function NothingFound({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  const isOnlyPaused = filters.smartpause === 'paused' && !isFiltered({ ...filters, smartpause: 'all' });
  const [title, clear] = isOnlyPaused
    ? ['No campaign of this account is paused by SmartPause', 'Show all campaigns']
    : ['No campaign matches your search and filters', 'Clear filters'];
  return (
    <Empty title={title}>
      <Button variant="default" onClick={onClear}>
        {clear}
      </Button>
    </Empty>
  );
}

function Empty({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Stack align="center" gap={4} px="lg" pt="lg" pb={56} ta="center">
      <Text fw={600}>{title}</Text>
      {text !== undefined && <Muted>{text}</Muted>}
      <Box mt="sm">{children}</Box>
    </Stack>
  );
}
