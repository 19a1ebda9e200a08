import { Card, Container, List, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { BusyButton } from '../../components/busy-button.tsx';
import { LinkButton } from '../../components/links.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { Muted } from '../../components/muted.ts';
import { errorMessage } from '../../lib/api-client.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { CHOICES, DESTINATION_EVENTS } from '#core/destination-events.ts';
import { useEmailLink } from './api.ts';
import { DECLINE, linkCopy } from './email-copy.ts';

/** A link in an email leads here; its token is behind the #. Only the button confirms, so a scanner may open it. */
export function ConfirmEmail() {
  const { query, confirming } = useEmailLink(useLocation().hash.slice(1));
  const { data } = query;
  const state = data?.state ?? 'unknown';
  const { title, text } = linkCopy(state, data?.channel);
  // Who is not a user has nothing to open.
  const isLoggedIn = useAuth().token !== null;
  const isOwn = data?.channel === undefined && (state !== 'unknown' || isLoggedIn);
  const outcome = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (confirming.isSuccess) outcome.current?.focus();
  }, [confirming.isSuccess]);
  return (
    <Container size="sm" py={{ base: 32, sm: 48 }}>
      <PageHeading fz={26} mb="lg">
        {data === undefined ? 'Confirm an email address' : title}
      </PageHeading>
      <Card>
        <QueryContent query={query} data={data} failure="The link couldn’t be checked." heights={[24, 36]}>
          {({ address, channel }) => (
            <Stack align="flex-start">
              {address !== null && (
                <Text>
                  Address: <b>{address}</b>
                </Text>
              )}
              <Text ref={outcome} tabIndex={-1} role="status">
                {text}
              </Text>
              {state === 'open' && <Wanted events={channel?.events ?? []} />}
              {state === 'open' && (
                <BusyButton isBusy={confirming.isPending} onClick={confirming.mutate}>
                  Confirm this address
                </BusyButton>
              )}
              {state === 'open' && channel !== undefined && <Muted>{DECLINE}</Muted>}
              {state !== 'open' && isOwn && (
                <LinkButton to={state === 'used' ? '/' : '/settings/notifications'} variant="default">
                  {state === 'used' ? 'Open SmartPause' : 'Open Settings'}
                </LinkButton>
              )}
              {confirming.isError && (
                <Text role="alert" fz="sm">
                  {errorMessage('The address couldn’t be confirmed. Please try again.', confirming.error)}
                </Text>
              )}
            </Stack>
          )}
        </QueryContent>
      </Card>
    </Container>
  );
}

/** What a channel of another user would get. */
function Wanted({ events }: { events: readonly string[] }) {
  const wanted = DESTINATION_EVENTS.filter((event) => events.includes(event));
  if (wanted.length === 0) return null;
  return (
    <div>
      <Text fz="sm" fw={600} mb={4}>
        What you would get
      </Text>
      <List fz="sm" spacing={6}>
        {wanted.map((event) => (
          <List.Item key={event}>
            {CHOICES[event].label}
            <Muted fz={13}>{CHOICES[event].covers}</Muted>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
