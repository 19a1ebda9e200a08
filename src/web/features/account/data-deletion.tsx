import '@mantine/core/styles/List.css';
import { Card, Container, List, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { DeletionStatus } from '#contract/shapes.ts';
import { fullTime } from '#core/new-york.ts';
import { Facts } from '../../components/facts.tsx';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { Placeholders } from '../../components/placeholders.tsx';
import { Time } from '../../components/time.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { useDeletion } from './api.ts';

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
        {deletion === null && NO_SUCH_CODE}
        {deletion != null && <Progress {...deletion} />}
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

function Progress({ confirmationCode, requestedAt, finishedAt, isSuperseded }: DeletionStatus) {
  const timeOf = (time: string) => <Time at={Date.parse(time)}>{fullTime(Date.parse(time))}</Time>;
  return (
    <>
      <Text component="div" role="status" mb="lg">
        {isSuperseded ? SUPERSEDED : finishedAt === null ? UNDER_WAY : FINISHED}
      </Text>
      <Facts
        facts={[
          ['Confirmation code', <code key="code">{confirmationCode}</code>],
          ['Requested', timeOf(requestedAt)],
          ...(finishedAt === null ? [] : [['Completed', timeOf(finishedAt)] as const]),
        ]}
      />
    </>
  );
}

function State({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <Title order={2} fz="lg">
        {title}
      </Title>
      <Text component="div" mt="xs" lh={1.55}>
        {children}
      </Text>
    </>
  );
}

const NO_SUCH_CODE = (
  <State title="No deletion matches this confirmation code">
    Check that the address matches the one Meta showed you. The code at the end has 20 letters and digits. If
    you have an account, you can also delete it in <TextLink to="/settings">Settings</TextLink>.
  </State>
);

const UNDER_WAY = (
  <State title="In progress">
    What happens, in order:
    <List type="ordered" my="xs" spacing={4}>
      <List.Item>Campaigns paused by SmartPause are resumed.</List.Item>
      <List.Item>Our access to your ad accounts is revoked on Meta.</List.Item>
      <List.Item>Your account, settings and history are deleted.</List.Item>
    </List>
    <Muted>Usually under a minute. This page updates automatically; you can close it.</Muted>
  </State>
);

const FINISHED = (
  <State title="Completed">
    Your account, settings and history are deleted, and we no longer have access to your ad accounts. We keep
    only this confirmation code and what the <TextLink to="/privacy-policy">Privacy Policy</TextLink> lists
    under “After a deletion”.
  </State>
);

const SUPERSEDED = (
  <State title="Canceled">
    You logged in to SmartPause again after this request, so your account was kept. To delete it now, go to{' '}
    <TextLink to="/settings">Settings</TextLink> or request the deletion on Meta again.
  </State>
);
