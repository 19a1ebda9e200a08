import { Card, Container, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { BusyButton } from '../../components/busy-button.tsx';
import { LinkButton } from '../../components/links.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { errorMessage } from '../../lib/api-client.ts';
import { useEmailLink } from './api.ts';
import { LINK_COPY } from './email-copy.ts';

/** A link in an email leads here; its token is behind the #. Only the button confirms, so a scanner may open it. */
export function ConfirmEmail() {
  const { query, confirming } = useEmailLink(useLocation().hash.slice(1));
  const { data } = query;
  const state = data?.state ?? 'unknown';
  const { title, text } = LINK_COPY[state];
  const outcome = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (confirming.isSuccess) outcome.current?.focus();
  }, [confirming.isSuccess]);
  return (
    <Container size="sm" py={{ base: 32, sm: 48 }}>
      <PageHeading fz={26} mb="lg">
        {data === undefined ? 'Confirm your email address' : title}
      </PageHeading>
      <Card>
        <QueryContent query={query} data={data} failure="The link couldn’t be checked." heights={[24, 36]}>
          {({ address }) => (
            <Stack align="flex-start">
              {address !== null && (
                <Text>
                  Address: <b>{address}</b>
                </Text>
              )}
              <Text ref={outcome} tabIndex={-1} role="status">
                {text}
              </Text>
              {state === 'open' ? (
                <BusyButton isBusy={confirming.isPending} onClick={confirming.mutate}>
                  Confirm this address
                </BusyButton>
              ) : (
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
