import { Card, Container, List, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { DeletionStatus } from '#contract/shapes.ts';
import { Facts } from '../../components/facts.tsx';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { Placeholders } from '../../components/placeholders.tsx';
import { Time } from '../../components/time.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { useDeletion } from './api.ts';

const SETTINGS = <TextLink to="/settings">Settings</TextLink>;

const STATES = {
  noSuchCode: [
    'No deletion matches this confirmation code',
    <>
      Check that the address matches the one Meta showed you. The code at the end has 20 letters and digits.
      If you have an account, you can also delete it in {SETTINGS}.
    </>,
  ],
  underWay: [
    'In progress',
    <>
      What happens, in order:
      <List type="ordered" my="xs" spacing={4}>
        <List.Item>Campaigns paused by SmartPause are resumed.</List.Item>
        <List.Item>Our access to your ad accounts is revoked on Meta.</List.Item>
        <List.Item>Your account, settings and history are deleted.</List.Item>
      </List>
      <Muted>Usually under a minute. This page updates automatically; you can close it.</Muted>
    </>,
  ],
  finished: [
    'Completed',
    <>
      Your account, settings and history are deleted, and we no longer have access to your ad accounts. We
      keep only this confirmation code and what the <TextLink to="/privacy-policy">Privacy Policy</TextLink>{' '}
      lists under “After a deletion”.
    </>,
  ],
  superseded: [
    'Canceled',
    <>
      You logged in to SmartPause again after this request, so your account was kept. To delete it now, go to{' '}
      {SETTINGS} or request the deletion on Meta again.
    </>,
  ],
} satisfies Record<string, [title: string, text: ReactNode]>;

/** Meta redirects here after a deletion request on its site; the code is the only credential. */
export function DataDeletion() {
  const { code = '' } = useParams();
  const query = useDeletion(code);
  const { data: deletion } = query;
  return (
    <Container size="sm" py={{ base: 32, sm: 48 }}>
      <PageHeading fz={26} mb="lg">
        Data deletion
      </PageHeading>
      <Card>
        {deletion !== undefined && <Progress deletion={deletion} />}
        {deletion === undefined && !hasFailed(query) && <Placeholders heights={[28, 64, 88]} />}
        {hasFailed(query) && (
          <Text role="alert" mt={deletion === undefined ? 0 : 'md'} fz="sm">
            Can’t reach SmartPause. Retrying. Your deletion continues.
          </Text>
        )}
      </Card>
    </Container>
  );
}

function Progress({ deletion }: { deletion: DeletionStatus | null }) {
  const [title, text] = STATES[stateOf(deletion)];
  return (
    <Stack gap="lg">
      <div role="status">
        <Title order={2} fz="lg">
          {title}
        </Title>
        <Text component="div" mt="xs" lh={1.55}>
          {text}
        </Text>
      </div>
      {deletion !== null && (
        <Facts
          facts={[
            ['Confirmation code', <code key="code">{deletion.confirmationCode}</code>],
            ['Requested', <Time key="requested" at={deletion.requestedAt} />],
            ...(deletion.finishedAt === null
              ? []
              : [['Completed', <Time key="completed" at={deletion.finishedAt} />] as const]),
          ]}
        />
      )}
    </Stack>
  );
}

function stateOf(deletion: DeletionStatus | null): keyof typeof STATES {
  if (deletion === null) return 'noSuchCode';
  if (deletion.isSuperseded) return 'superseded';
  return deletion.finishedAt === null ? 'underWay' : 'finished';
}
