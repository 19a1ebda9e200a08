import { Box, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LastKnown } from '#contract/shapes.ts';
import type { NoDelivery } from '#core/account-delivery.ts';
import { noDeliveryAdvice, noDeliveryLabel } from '#core/account-delivery.ts';
import { NewTabLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { RetryButton } from '../../components/retry-button.tsx';
import { Notice, ageLabel } from '../../components/stale.tsx';
import { leaveFocusToList } from '../../lib/focus-list.ts';
import { useNow } from '../../lib/use-now.ts';
import { adsManagerAddress } from '../campaigns/ads-manager.ts';

interface NotLoadedProps {
  text: string;
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
}

/** What has never been loaded; it is tried again by itself, so nothing alarms (DASH-14). */
export function NotLoaded({ text, query }: NotLoadedProps) {
  return (
    <Notice>
      <Group ref={leaveFocusToList} justify="space-between" gap="xs">
        <span role="status">{text} SmartPause keeps trying.</span>
        <RetryButton query={query} />
      </Group>
    </Notice>
  );
}

const SILENCE: Record<NonNullable<LastKnown['because']>, string> = {
  no_answer: 'Can’t reach Meta.',
  no_access: 'Meta refuses SmartPause access to this ad account.',
  limit: 'Meta’s rate limit for this ad account is reached.',
  app_limit: 'SmartPause’s own limit at Meta is nearly used up, so pauses and resumes go first.',
};

/**
 * Screen readers announce the reason once; the growing age is not announced.
 * @param props.of the ad account, in a list of several
 */
export function ListAge({ at, because, of }: LastKnown & { of?: string | undefined }) {
  const now = useNow();
  return (
    <Notice>
      {of !== undefined && `${of}: `}
      <b role="status">{because === null ? 'Can’t update this list.' : SILENCE[because]}</b>{' '}
      {ageLabel(Date.parse(at), now)}
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
