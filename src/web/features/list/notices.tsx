import { Box, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LastKnown } from '#contract/shapes.ts';
import type { NoDelivery } from '#core/account-delivery.ts';
import { noDeliveryAdvice, noDeliveryLabel } from '#core/account-delivery.ts';
import { NewTabLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { RetryButton } from '../../components/retry-button.tsx';
import { Notice, ageLabel } from '../../components/stale.tsx';
import type { useCampaignLists } from '../campaigns/api.ts';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { staleSince } from '../../lib/stale.ts';
import { useNow } from '../../lib/use-now.ts';
import { adsManagerAddress } from '../campaigns/ads-manager.ts';

interface NotLoadedProps {
  text: string;
  /** The ad account, in a list of several. */
  of?: string | undefined;
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
}

/** One of several 'Retry'. */
const retryLabel = (of: string | undefined) => of !== undefined && { 'aria-label': `Retry: ${of}` };

/** What has never been loaded; it is tried again by itself, so nothing alarms (DASH-14). */
export function NotLoaded({ text, of, query }: NotLoadedProps) {
  return (
    <Notice>
      <Group ref={leaveFocusToList} justify="space-between" gap="xs">
        <span role="status">{text} SmartPause keeps trying.</span>
        <RetryButton query={query} {...retryLabel(of)} />
      </Group>
    </Notice>
  );
}

type ListQuery = ReturnType<typeof useCampaignLists>[number];

const SILENCE: Record<NonNullable<LastKnown['because']>, string> = {
  no_answer: 'Couldn’t read these campaigns.',
  no_access: 'Meta refuses SmartPause access to this ad account.',
  limit: 'Meta’s rate limit for this ad account is reached.',
  app_limit: 'SmartPause’s own limit at Meta is nearly used up, so pauses and resumes go first.',
};

/**
 * How old a list is that our server or Meta does not renew. Screen readers announce the reason once; the growing age
 * is not announced.
 * @param props.of the ad account, in a list of several
 */
export function ListAge({ query, of }: { query: ListQuery; of: string | undefined }) {
  const now = useNow();
  const since = staleSince(query);
  const lastKnown = query.data?.lastKnown;
  if (since === null && lastKnown === undefined) return null;
  const because = since === null ? (lastKnown?.because ?? null) : null;
  const at = lastKnown === undefined ? (since ?? now) : Date.parse(lastKnown.at);
  return (
    <Notice>
      <Group ref={leaveFocusToList} justify="space-between" gap="xs" wrap="nowrap">
        <span>
          {of !== undefined && `${of}: `}
          <b role="status">{because === null ? 'Can’t update this list.' : SILENCE[because]}</b>{' '}
          <span style={{ display: 'inline-block' }}>{ageLabel(at, now)}</span>
        </span>
        {(because === null || because === 'no_answer') && (
          <RetryButton
            query={query}
            {...retryLabel(of)}
            size="compact-sm"
            variant="transparent"
            c="inherit"
            td="underline"
            px={0}
            flex="none"
          />
        )}
      </Group>
    </Notice>
  );
}

/** Why Meta delivers nothing in the ad account, and what to do. */
export function NoDeliveryNotice({
  id,
  reason,
  of,
}: {
  id: string;
  reason: NoDelivery;
  of?: string | undefined;
}) {
  return (
    <Notice>
      {of !== undefined && `${of}: `}
      <b role="status">{noDeliveryLabel(reason)}.</b> {noDeliveryAdvice(reason)}{' '}
      <NewTabLink href={adsManagerAddress(id)} c="inherit" fw={600}>
        Open Ads Manager
      </NewTabLink>
    </Notice>
  );
}

/** What is missing, and the next action. */
export function EmptyList({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <Stack align="center" gap={4} px="lg" py={40} ta="center">
      <Text fw={600} maw="100%" style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Text>
      {text !== undefined && <Muted>{text}</Muted>}
      <Box mt="sm">{children}</Box>
    </Stack>
  );
}
